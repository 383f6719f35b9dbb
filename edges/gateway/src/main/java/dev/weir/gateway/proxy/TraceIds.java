package dev.weir.gateway.proxy;

import dev.weir.http.Ascii;
import dev.weir.server.telemetry.TraceContext;
import java.util.HexFormat;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The names of a request in logs and traces.
 *
 * @param requestId the value of {@code X-Request-Id}
 * @param trace that it belongs to
 */
record TraceIds(String requestId, TraceContext trace) {
  private static final int MAX_ID_CHARS = 128;

  /**
   * The names for a request. Its identifier is that of a trusted proxy, if it sent a valid one;
   * otherwise a new one.
   *
   * @param random draws new names
   */
  static TraceIds of(
      @Nullable String requestId, boolean trusted, TraceContext trace, LongSupplier random) {
    String id =
        trusted && requestId != null && isId(requestId)
            ? requestId
            : hex(random.getAsLong()) + hex(random.getAsLong());
    return new TraceIds(id, trace);
  }

  /** The header {@code traceparent} for the upstream. */
  String traceParent() {
    return trace.header();
  }

  /** Whether the trace begins here, so that what the client says of its state is void. */
  boolean isNewTrace() {
    return trace.parent() == null;
  }

  private static String hex(long number) {
    return HexFormat.of().toHexDigits(number);
  }

  private static boolean isId(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (!Ascii.isLetterOrDigit(c) && "-_.:/+=".indexOf(c) < 0) {
        return false;
      }
    }
    return !text.isEmpty() && text.length() <= MAX_ID_CHARS;
  }
}
