package dev.weir.http.identity;

import dev.weir.http.address.ForwardedChain;
import java.util.List;

/**
 * The headers that a request declares to be hop-by-hop by naming them in {@code Connection}.
 *
 * <p>A conforming proxy removes them, no matter who wrote them, so that a client can remove what an
 * earlier proxy has added. Weir treats them as unusable.
 *
 * <p>Immutable.
 */
public final class HopByHop {
  private static final int MAX_CHARS = 4096;

  private final List<String> connection;

  /**
   * Reads the names on demand.
   *
   * @param connection all values of {@code Connection}
   */
  public HopByHop(List<String> connection) {
    this.connection = connection;
  }

  /** Whether a header is named. A {@code Connection} of excessive length names every header. */
  public boolean names(String header) {
    for (String value : connection) {
      if (value.length() > MAX_CHARS || names(value, header)) {
        return true;
      }
    }
    return connection.size() > ForwardedChain.MAX_ENTRIES;
  }

  private static boolean names(String value, String header) {
    int start = 0;
    while (start < value.length()) {
      int comma = value.indexOf(',', start);
      int end = comma < 0 ? value.length() : comma;
      int from = start;
      int to = end;
      while (from < to && value.charAt(from) <= ' ') {
        from++;
      }
      while (to > from && value.charAt(to - 1) <= ' ') {
        to--;
      }
      if (to - from == header.length()
          && value.regionMatches(true, from, header, 0, header.length())) {
        return true;
      }
      start = end + 1;
    }
    return false;
  }
}
