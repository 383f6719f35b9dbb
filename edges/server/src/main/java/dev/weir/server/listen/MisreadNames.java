package dev.weir.server.listen;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

/**
 * Finds header names that the decoder of Vert.x misreads: it takes {@code Content-Xength}, with any
 * letter for the X, for {@code Content-Length}, and {@code Content-Xype} for {@code Content-Type}
 * (CVE-2026-102479). A gateway passes such a header on as an unknown one. Here it would turn the
 * requests behind it into a body, and these requests would not be counted.
 *
 * <p>Bodies are searched too, because only the decoder knows where a body ends; no line of JSON
 * begins like these names. Confined to one event loop.
 */
final class MisreadNames {
  private static final String CONTENT = "content-";
  private static final int SKIPPED = -1;

  /** How many characters of the line match; {@link #SKIPPED} if the line has no such name. */
  private int column;

  /** The letter that the decoder ignores, in lower case. */
  private int ignoredLetter;

  /** The name that the decoder reads. */
  private String name = "";

  /** The part that is being read, its bounds, and whether it was searched. */
  private ByteBuf part = Unpooled.EMPTY_BUFFER;

  private int start;
  private int end;
  private boolean searched;

  /**
   * Begins the next part.
   *
   * @param newLine whether the part begins a line
   */
  void begin(ByteBuf bytes, boolean newLine) {
    part = bytes;
    start = bytes.readerIndex();
    end = bytes.writerIndex();
    searched = false;
    column = newLine ? 0 : column;
  }

  /** Ends the part, which is about to be released. */
  void end() {
    part = Unpooled.EMPTY_BUFFER;
  }

  /** The size of the part. */
  int partBytes() {
    return end - start;
  }

  /** Whether the part contains the end of a misread name; searches it once. */
  boolean isFound() {
    boolean found = !searched && search(part);
    searched = true;
    return found;
  }

  private boolean search(ByteBuf bytes) {
    int i = start;
    while (i < end) {
      if (column == SKIPPED) {
        int newLine = bytes.indexOf(i, end, (byte) '\n');
        if (newLine < 0) {
          return false;
        }
        i = newLine;
      }
      byte one = bytes.getByte(i++);
      if (column == 0 || one == '\n') {
        column = one == '\n' ? 0 : one == 'c' || one == 'C' ? 1 : SKIPPED;
      } else if (completesName(Character.toLowerCase(one))) {
        return true;
      }
    }
    return false;
  }

  private boolean completesName(int letter) {
    if (column < CONTENT.length()) {
      column = letter == CONTENT.charAt(column) ? column + 1 : SKIPPED;
    } else if (column == CONTENT.length()) {
      ignoredLetter = letter;
      column++;
    } else if (column == CONTENT.length() + 1) {
      name = letter == 'e' ? "content-length" : "content-type";
      column = letter == 'e' || letter == 'y' ? column + 1 : SKIPPED;
    } else if (column < name.length()) {
      column = letter == name.charAt(column) ? column + 1 : SKIPPED;
    } else {
      boolean ended = letter == ':' || letter == ' ' || letter == '\t';
      column = SKIPPED;
      return ended && ignoredLetter != name.charAt(CONTENT.length());
    }
    return false;
  }
}
