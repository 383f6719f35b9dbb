package dev.weir.server;

import org.jspecify.annotations.Nullable;

/**
 * The trusted headers that a gateway answers for: it sets them, or removes what a client sent. Told
 * in the path that it asks at, {@code /v1/check;trusted-headers=x-plan,x-user}, because a path is
 * the gateway's own: some gateways pass on the client's query with theirs, and all of them headers.
 *
 * @param names separated by commas; null if the gateway does not say, and answers for all
 * @param end where in the target the list ends
 */
record VouchedHeaders(@Nullable String names, int end) {
  private static final String PARAMETER = ";trusted-headers";

  /**
   * Reads the list behind the path of an endpoint.
   *
   * @param from where that path ends
   * @throws IllegalArgumentException if there is something else behind a semicolon
   */
  static VouchedHeaders in(String uri, int from) {
    if (from >= uri.length() || uri.charAt(from) != ';') {
      return new VouchedHeaders(null, from);
    }
    int end = from;
    while (end < uri.length() && "/?".indexOf(uri.charAt(end)) < 0) {
      end++;
    }
    int start = from + PARAMETER.length();
    boolean named = uri.startsWith(PARAMETER, from) && start <= end;
    if (!named || (start < end && uri.charAt(start) != '=')) {
      String expected = ";trusted-headers= and names with commas between them";
      throw new IllegalArgumentException(
          "path: " + uri.substring(from, end) + " (expected: " + expected + ")");
    }
    return new VouchedHeaders(uri.substring(Math.min(start + 1, end), end), end);
  }

  boolean contains(String name) {
    if (names == null) {
      return true;
    }
    for (int from = 0; from <= names.length(); ) {
      int comma = names.indexOf(',', from);
      int end = comma < 0 ? names.length() : comma;
      if (end - from == name.length() && names.regionMatches(true, from, name, 0, name.length())) {
        return true;
      }
      from = end + 1;
    }
    return false;
  }
}
