package dev.weir.http.address;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Iterates over the entries of a forwarded header from right to left. Not thread-safe.
 *
 * <p>Proxies append, so the rightmost entry is that of the nearest proxy and the leftmost ones are
 * under the control of the client. Reading stops where trust ends, so that nothing a client writes
 * (garbage, an open quote, a megabyte) can spoil what a proxy appended. Repeated header lines are
 * one list. Empty entries do not count.
 */
public final class ForwardedChain {
  /** The length of the longest chain that is read; no honest chain of proxies is longer. */
  public static final int MAX_ENTRIES = 32;

  private static final int MAX_CHARS = 4096;

  private final List<String> lines;
  private final ForwardedHeader header;
  private int line;
  private String text = "";
  private int end; // the line is read to the right of it
  private int start;
  private int entries;
  private int chars;

  /** Starts behind the last entry of all lines of the header. */
  public ForwardedChain(List<String> lines, ForwardedHeader header) {
    this.lines = lines;
    this.header = header;
    this.line = lines.size();
  }

  /** Moves to the next entry on the left; false if there is none. */
  public boolean next() {
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

  /** The address in the current entry; null if it has none, or if the chain is too long. */
  public @Nullable Ip address() {
    if (isTooLong()) {
      return null;
    }
    return header == ForwardedHeader.FORWARDED
        ? ForwardedElement.address(text, start, end)
        : ForwardedNode.address(text, start, end);
  }

  private boolean isTooLong() {
    return entries > MAX_ENTRIES || chars > MAX_CHARS;
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

  /** Commas in quotes do not separate. From right to left, a quote starts at its closing mark. */
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
