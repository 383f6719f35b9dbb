package dev.weir.server.listen;

import io.vertx.core.MultiMap;
import java.util.Map;

/**
 * The decoded size of the headers of a request. On the wire HPACK sends a repeated field as one
 * byte, but in memory it takes as much as any other field.
 */
record HeaderSize(int fields, long chars) {
  /** The maximum number of fields: more than any proxy sends. */
  static final int MAX_FIELDS = 200;

  /** The memory overhead of a field, beside its characters. */
  private static final int BYTES_PER_FIELD = 64;

  /** The maximum number of characters of all headers. */
  static final int MAX_CHARS = 32 << 10;

  static HeaderSize of(MultiMap headers) {
    int fields = 0;
    long chars = 0;
    for (Map.Entry<String, String> header : headers) {
      fields++;
      chars += header.getKey().length() + header.getValue().length();
    }
    return new HeaderSize(fields, chars);
  }

  /** The approximate size in memory. */
  long bytes() {
    return chars + (long) fields * BYTES_PER_FIELD;
  }

  boolean isTooLarge() {
    return chars > MAX_CHARS || fields > MAX_FIELDS;
  }

  /** The error text for headers that are too large. */
  static String tooLargeMessage() {
    String max = MAX_CHARS + " bytes in " + MAX_FIELDS + " fields";
    return "headers: too large (expected: at most " + max + ")";
  }
}
