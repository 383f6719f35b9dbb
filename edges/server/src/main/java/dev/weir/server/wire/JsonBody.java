package dev.weir.server.wire;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.Json;
import org.jspecify.annotations.Nullable;

/**
 * Decodes JSON bodies, bounded in values. An empty object is three bytes of text and a hundred
 * bytes of memory, so a large body could hold hundreds of thousands; values are counted before any
 * object is created.
 */
public final class JsonBody {
  /** The maximum number of values in a body, nested ones included. */
  static final int MAX_VALUES = 20_000;

  private JsonBody() {}

  /**
   * Decodes a body.
   *
   * @throws io.vertx.core.json.DecodeException if it is not JSON
   * @throws IllegalArgumentException if it has more than {@link #MAX_VALUES} values
   */
  public static @Nullable Object decode(Buffer body) {
    if (body.length() > MAX_VALUES && values(body) > MAX_VALUES) {
      throw new IllegalArgumentException(
          "body: too many values (expected: at most " + MAX_VALUES + ")");
    }
    return Json.decodeValue(body);
  }

  /**
   * An upper bound of the number of values: each but the first follows a comma or opens an array or
   * object. Where a body stops being JSON the count is wrong, but there the parser stops as well.
   */
  private static int values(Buffer body) {
    int values = 1;
    boolean inString = false;
    for (int i = 0; i < body.length(); i++) {
      switch (body.getByte(i)) {
        case '"' -> inString = !inString;
        case '\\' -> i++;
        case ',', '[', '{' -> values += inString ? 0 : 1;
        default -> {}
      }
    }
    return values;
  }
}
