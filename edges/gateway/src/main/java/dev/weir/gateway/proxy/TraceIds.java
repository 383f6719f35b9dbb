package dev.weir.gateway.proxy;

import dev.weir.http.Ascii;
import java.util.HexFormat;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The names of a request in logs and traces.
 *
 * @param requestId the value of {@code X-Request-Id}
 * @param traceParent the value of the header of the same name (W3C Trace Context)
 */
record TraceIds(String requestId, String traceParent) {
  private static final int MAX_ID_CHARS = 128;
  private static final int TRACE_PARENT_CHARS = 55;
  private static final int TRACE_START = 3;
  private static final int TRACE_CHARS = 32;
  private static final int SPAN_CHARS = 16;

  /**
   * The names for a request: those that it has, where they are valid and come from a trusted proxy
   * or, for the trace, from anybody; otherwise new ones.
   *
   * @param random draws new names
   */
  static TraceIds of(
      @Nullable String requestId,
      @Nullable String traceParent,
      boolean trusted,
      LongSupplier random) {
    String trace =
        traceParent != null && isTraceParent(traceParent) ? traceParent : newTrace(random);
    String id =
        trusted && requestId != null && isId(requestId)
            ? requestId
            : hex(random.getAsLong()) + hex(random.getAsLong());
    return new TraceIds(id, trace);
  }

  /** The identifier of the whole trace. */
  String traceId() {
    return traceParent.substring(TRACE_START, TRACE_START + TRACE_CHARS);
  }

  private static String newTrace(LongSupplier random) {
    // Zeros are not valid; the lowest bit is set, so that no part has zeros alone.
    return "00-"
        + hex(random.getAsLong())
        + hex(random.getAsLong() | 1)
        + "-"
        + hex(random.getAsLong() | 1)
        + "-00";
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

  private static boolean isTraceParent(String text) {
    int spanStart = TRACE_START + TRACE_CHARS + 1;
    int flags = spanStart + SPAN_CHARS;
    return text.length() == TRACE_PARENT_CHARS
        && text.startsWith("00-")
        && text.charAt(spanStart - 1) == '-'
        && text.charAt(flags) == '-'
        && isHexAndNotZero(text, TRACE_START, spanStart - 1)
        && isHexAndNotZero(text, spanStart, flags)
        && isHex(text, flags + 1, TRACE_PARENT_CHARS);
  }

  private static boolean isHexAndNotZero(String text, int from, int to) {
    boolean zero = true;
    for (int i = from; i < to; i++) {
      zero &= text.charAt(i) == '0';
    }
    return !zero && isHex(text, from, to);
  }

  private static boolean isHex(String text, int from, int to) {
    for (int i = from; i < to; i++) {
      if (!Ascii.isHex(text.charAt(i)) || Ascii.isUpper(text.charAt(i))) {
        return false;
      }
    }
    return true;
  }
}
