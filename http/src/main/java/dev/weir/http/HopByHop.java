package dev.weir.http;

import java.util.List;

/**
 * The headers that a request declares to be for one hop only, by naming them in {@code Connection}.
 *
 * <p>A proxy that obeys removes them, whoever wrote them; a client can so take away what a proxy
 * before has added. No use is made of them.
 */
public final class HopByHop {
  private static final int MAX_CHARS = 4096;

  private final List<String> connection;

  /**
   * @param connection all values of {@code Connection}
   */
  public HopByHop(List<String> connection) {
    this.connection = connection;
  }

  /** Whether a header is named; if there are more names than anyone needs, all of them are. */
  public boolean names(String header) {
    for (String value : connection) {
      if (value.length() > MAX_CHARS || names(value, header)) {
        return true;
      }
    }
    return connection.size() > Hops.MOST;
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
