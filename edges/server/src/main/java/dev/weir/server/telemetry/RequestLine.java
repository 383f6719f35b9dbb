package dev.weir.server.telemetry;

import org.jspecify.annotations.Nullable;

/**
 * The request that was decided about, as a log may show it. Immutable.
 *
 * @param operation what was asked for; null for the usual, to take permits
 * @param method of HTTP, if there is one
 * @param path of HTTP, or what stands for it; without a query unless the operator wants it
 */
record RequestLine(@Nullable String operation, @Nullable String method, @Nullable String path) {
  static final RequestLine UNKNOWN = new RequestLine(null, null, null);

  /** Longer paths are cut: lines that wait to be written are kept in memory. */
  static final int MAX_CHARS = 1_024;

  private static final String TAKE = "take";

  /**
   * A subject from what a client sent.
   *
   * @param target a path with perhaps a query, or a URL
   */
  static RequestLine of(
      @Nullable String operation, @Nullable String method, @Nullable String target, boolean query) {
    return new RequestLine(
        TAKE.equals(operation) ? null : operation,
        method == null ? null : cut(method),
        target == null ? null : cut(path(target, query)));
  }

  private static String path(String target, boolean query) {
    int scheme = target.startsWith("/") ? -1 : target.indexOf("://");
    int start = scheme < 0 ? 0 : target.indexOf('/', scheme + 3); // a URL may have a password
    String path = start < 0 ? "/" : target.substring(start);
    int end = query ? -1 : path.indexOf('?');
    return end < 0 ? path : path.substring(0, end);
  }

  private static String cut(String text) {
    return text.length() <= MAX_CHARS ? text : text.substring(0, MAX_CHARS) + "...";
  }
}
