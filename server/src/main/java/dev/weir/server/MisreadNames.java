package dev.weir.server;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

/**
 * Looks for names of headers that the decoder of Vert.x takes for others: to it {@code
 * Content-Xength} is {@code Content-Length}, whatever stands for the X, and {@code Content-Xype} is
 * {@code Content-Type} (CVE-2026-102479). A gateway passes such a header on as one that means
 * nothing. Here it would make a body of the requests behind it, which then nobody counts.
 *
 * <p>It looks at bodies too: where a body ends, only the decoder knows. No line of JSON begins like
 * that. Touched by one event loop only.
 */
final class MisreadNames {
  private static final String CONTENT = "content-";
  private static final int SKIPPED = -1;

  /** How much of the line has been compared; {@link #SKIPPED} if it is none of them. */
  private int column;

  /** The letter that the decoder does not look at, in small. */
  private int unseen;

  /** What the decoder takes the name for. */
  private String name = "";

  /** The part that is being read, from where to where, and whether it was searched. */
  private ByteBuf part = Unpooled.EMPTY_BUFFER;

  private int start;
  private int end;
  private boolean searched;

  /**
   * Takes the next part.
   *
   * @param newLine whether it begins a line
   */
  void begin(ByteBuf bytes, boolean newLine) {
    part = bytes;
    start = bytes.readerIndex();
    end = bytes.writerIndex();
    searched = false;
    column = newLine ? 0 : column;
  }

  /** The part is about to be released. */
  void end() {
    part = Unpooled.EMPTY_BUFFER;
  }

  /** How large the part is. */
  int partBytes() {
    return end - start;
  }

  /** Whether the end of such a name is in the part; searches it once. */
  boolean isFound() {
    boolean found = !searched && isAmong(part);
    searched = true;
    return found;
  }

  private boolean isAmong(ByteBuf bytes) {
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
      } else if (ends(Character.toLowerCase(one))) {
        return true;
      }
    }
    return false;
  }

  private boolean ends(int letter) {
    if (column < CONTENT.length()) {
      column = letter == CONTENT.charAt(column) ? column + 1 : SKIPPED;
    } else if (column == CONTENT.length()) {
      unseen = letter;
      column++;
    } else if (column == CONTENT.length() + 1) {
      name = letter == 'e' ? "content-length" : "content-type";
      column = letter == 'e' || letter == 'y' ? column + 1 : SKIPPED;
    } else if (column < name.length()) {
      column = letter == name.charAt(column) ? column + 1 : SKIPPED;
    } else {
      boolean ended = letter == ':' || letter == ' ' || letter == '\t';
      column = SKIPPED;
      return ended && unseen != name.charAt(CONTENT.length());
    }
    return false;
  }
}
