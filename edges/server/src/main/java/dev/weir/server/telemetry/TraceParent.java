package dev.weir.server.telemetry;

import io.vertx.core.MultiMap;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The header {@code traceparent} of W3C Trace Context: the trace that a request belongs to, and the
 * span that caused it. Immutable.
 *
 * @param text as it was sent
 * @param traceHigh the first half of the trace's identifier
 * @param traceLow its second half
 * @param spanId the span that caused the request; never 0
 * @param flags of the trace
 */
public record TraceParent(String text, long traceHigh, long traceLow, long spanId, int flags) {
  /** Its name in requests over HTTP, and in the metadata of gRPC. */
  public static final String HEADER = "traceparent";

  private static final int TRACE = 3;
  private static final int SPAN = TRACE + 33;
  private static final int FLAGS = SPAN + 17;

  /** The length in version 00; later versions may add more behind it. */
  private static final int LENGTH = FLAGS + 2;

  private static final int SAMPLED = 1;
  private static final int RANDOM = 2;

  /** That of a request; null if it has none, several, or one that is malformed. */
  public static @Nullable TraceParent of(MultiMap headers) {
    List<String> values = headers.getAll(HEADER);
    return values.size() == 1 ? parse(values.get(0)) : null;
  }

  /** Parses a value; null if the specification says to ignore it. */
  static @Nullable TraceParent parse(String text) {
    int length = text.length();
    if (length < LENGTH
        || text.charAt(TRACE - 1) != '-'
        || text.charAt(SPAN - 1) != '-'
        || text.charAt(FLAGS - 1) != '-'
        || !isHex(text)) {
      return null;
    }
    boolean current = text.startsWith("00");
    boolean more = length > LENGTH;
    if (text.startsWith("ff") || (more && (current || text.charAt(LENGTH) != '-'))) {
      return null;
    }
    long high = HexFormat.fromHexDigitsToLong(text, TRACE, TRACE + 16);
    long low = HexFormat.fromHexDigitsToLong(text, TRACE + 16, TRACE + 32);
    long span = HexFormat.fromHexDigitsToLong(text, SPAN, SPAN + 16);
    if ((high | low) == 0 || span == 0) {
      return null;
    }
    int flags = HexFormat.fromHexDigits(text, FLAGS, FLAGS + 2);
    return new TraceParent(text, high, low, span, flags);
  }

  /** Whether all but the dashes are hexadecimal digits in lower case. */
  private static boolean isHex(String text) {
    for (int i = 0; i < LENGTH; i++) {
      char c = text.charAt(i);
      boolean dash = i == TRACE - 1 || i == SPAN - 1 || i == FLAGS - 1;
      if (!dash && !(c >= '0' && c <= '9') && !(c >= 'a' && c <= 'f')) {
        return false;
      }
    }
    return true;
  }

  /** Whether the caller records the trace. */
  public boolean isSampled() {
    return (flags & SAMPLED) != 0;
  }

  /** The flags for requests that this one causes: whether the identifier is random stays known. */
  int flags(boolean sampled) {
    return (flags & RANDOM) | (sampled ? SAMPLED : 0);
  }
}
