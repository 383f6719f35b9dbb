package dev.weir.server;

import io.vertx.core.MultiMap;
import java.util.Map;

/**
 * How much headers are: on the wire a field that was sent before is one byte, in memory it is a
 * field as any other.
 */
record HeaderWeight(int fields, long chars) {
  /** More than any proxy sends. */
  static final int MAX_FIELDS = 200;

  /** What a field takes beside its characters. */
  private static final int BYTES_PER_FIELD = 64;

  /** The most characters that headers may have. */
  static final int MAX_CHARS = 32 << 10;

  static HeaderWeight of(MultiMap headers) {
    int fields = 0;
    long chars = 0;
    for (Map.Entry<String, String> header : headers) {
      fields++;
      chars += header.getKey().length() + header.getValue().length();
    }
    return new HeaderWeight(fields, chars);
  }

  /** What they take in memory, about. */
  long bytes() {
    return chars + (long) fields * BYTES_PER_FIELD;
  }

  boolean isTooMuch() {
    return chars > MAX_CHARS || fields > MAX_FIELDS;
  }

  /** What is said to whoever sends more. */
  static String expected() {
    String most = MAX_CHARS + " bytes in " + MAX_FIELDS + " fields";
    return "headers: too large (expected: at most " + most + ")";
  }
}
