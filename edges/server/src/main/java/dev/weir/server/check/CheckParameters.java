package dev.weir.server.check;

import org.jspecify.annotations.Nullable;

/**
 * The parameters of a gateway in the path of its request: {@code
 * /v1/check;headers=original;trusted-headers=x-plan,x-user}. They are in the path because only the
 * path is the gateway's own: some gateways pass on the client's query with theirs, and all of them
 * pass on its headers.
 *
 * @param family the headers that carry the original request; null if the gateway does not say
 * @param vouching the trusted headers that the gateway sets; null if it does not say
 * @param end where in the target the parameters end
 */
record CheckParameters(
    @Nullable ForwardedFamily family, @Nullable VouchedHeaders vouching, int end) {
  private static final String EXPECTED =
      ";trusted-headers= and names with commas between them, ;headers=forwarded or"
          + " ;headers=original, each once";

  /** The parameters of a gateway that sets none. */
  private static final CheckParameters NONE = new CheckParameters(null, null, 0);

  /**
   * Parses the parameters after the path of an endpoint.
   *
   * @param from where that path ends
   * @throws IllegalArgumentException if there is anything else after a semicolon
   */
  static CheckParameters in(String uri, int from) {
    int end = from;
    while (end < uri.length() && "/?".indexOf(uri.charAt(end)) < 0) {
      end++;
    }
    CheckParameters read = NONE;
    for (int at = from; at < end; ) {
      int next = uri.indexOf(';', at + 1);
      next = next < 0 || next > end ? end : next;
      CheckParameters more = read.with(uri.substring(at + 1, next));
      if (more == null) {
        throw new IllegalArgumentException(
            "path: " + uri.substring(from, end) + " (expected: " + EXPECTED + ")");
      }
      read = more;
      at = next;
    }
    return new CheckParameters(read.family, read.vouching, end);
  }

  /** A copy with one more parameter; null if that is unknown or given twice. */
  private @Nullable CheckParameters with(String parameter) {
    int equals = parameter.indexOf('=');
    String name = equals < 0 ? parameter : parameter.substring(0, equals);
    String value = equals < 0 ? "" : parameter.substring(equals + 1);
    if (name.equals("trusted-headers") && vouching == null) {
      return new CheckParameters(family, new VouchedHeaders(value), end);
    }
    if (name.equals("headers") && family == null) {
      for (ForwardedFamily one : ForwardedFamily.values()) {
        if (one.label().equals(value)) {
          return new CheckParameters(one, vouching, end);
        }
      }
    }
    return null;
  }

  /** The trusted headers that the gateway sets; all, if it does not say. */
  VouchedHeaders vouched() {
    return vouching == null ? VouchedHeaders.ALL : vouching;
  }
}
