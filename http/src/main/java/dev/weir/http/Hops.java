package dev.weir.http;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The entries of a forwarded header, from the last one back.
 *
 * <p>Proxies append, so the right end is what the nearest proxy wrote and the left end is whatever
 * the client liked. Reading stops where trust ends, and so nothing that a client writes, be it
 * garbage, an open quote or a megabyte, can spoil what a proxy wrote after it. Repeated header
 * lines are one list. Empty entries do not count.
 */
final class Hops {
  /** No honest chain of proxies is longer. */
  static final int MOST = 32;

  private static final int MAX_CHARS = 4096;

  private final List<String> lines;
  private final ForwardedHeader header;
  private int line;
  private String text = "";
  private int end; // what lies right of it in the line has been read
  private int start;
  private int entries;
  private int chars;

  Hops(List<String> lines, ForwardedHeader header) {
    this.lines = lines;
    this.header = header;
    this.line = lines.size();
  }

  /** Moves to the entry on the left; false if there is none. */
  boolean next() {
    do {
      while (start == 0) {
        if (line == 0) {
          return false;
        }
        text = lines.get(--line);
        start = text.length() + 1;
      }
      end = start - 1;
      start = header == ForwardedHeader.FORWARDED ? startOfElement() : startOfEntry();
      chars += end - start + 1;
    } while (isBlank() && !isTooLong());
    entries++;
    return true;
  }

  /** The address in this entry; null if it has none, or if the list is too long to be true. */
  @Nullable Ip address() {
    if (isTooLong()) {
      return null;
    }
    return header == ForwardedHeader.FORWARDED
        ? ForwardedElement.address(text, start, end)
        : ForwardedNode.address(text, start, end);
  }

  private boolean isTooLong() {
    return entries > MOST || chars > MAX_CHARS;
  }

  private boolean isBlank() {
    for (int i = start; i < end; i++) {
      if (text.charAt(i) > ' ') {
        return false;
      }
    }
    return true;
  }

  private int startOfEntry() {
    return text.lastIndexOf(',', end - 1) + 1;
  }

  /** Commas in quotes do not separate. Going left, a quote is met at its end first. */
  private int startOfElement() {
    boolean quoted = false;
    for (int i = end - 1; i >= 0 && end - i <= MAX_CHARS; i--) {
      char c = text.charAt(i);
      if (c == ',' && !quoted) {
        return i + 1;
      }
      if (c == '"' && !(quoted && isEscaped(i))) {
        quoted = !quoted;
      }
    }
    return 0;
  }

  private boolean isEscaped(int at) {
    int slashes = 0;
    while (slashes < at && text.charAt(at - 1 - slashes) == '\\') {
      slashes++;
    }
    return (slashes & 1) == 1;
  }
}
