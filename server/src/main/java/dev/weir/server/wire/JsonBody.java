package dev.weir.server.wire;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.Json;
import org.jspecify.annotations.Nullable;

/**
 * Reads bodies of JSON. Three bytes are an empty object, of which a large body would make hundreds
 * of thousands, at a hundred bytes each; so they are counted before any is made.
 */
public final class JsonBody {
  /** The most values that a body may have, those within others included. */
  public static final int MAX_VALUES = 20_000;

  private JsonBody() {}

  /**
   * What a body says.
   *
   * @throws io.vertx.core.json.DecodeException if it is not JSON
   * @throws IllegalArgumentException if it has too many values
   */
  public static @Nullable Object decode(Buffer body) {
    if (body.length() > MAX_VALUES && values(body) > MAX_VALUES) {
      throw new IllegalArgumentException(
          "body: too many values (expected: at most " + MAX_VALUES + ")");
    }
    return Json.decodeValue(body);
  }

  /**
   * As many as there are at most: each but the first follows a comma or is the first in another.
   * Where a body stops being JSON the count is off, but there its reader stops as well.
   */
  private static int values(Buffer body) {
    int values = 1;
    boolean text = false;
    for (int i = 0; i < body.length(); i++) {
      switch (body.getByte(i)) {
        case '"' -> text = !text;
        case '\\' -> i++;
        case ',', '[', '{' -> values += text ? 0 : 1;
        default -> {}
      }
    }
    return values;
  }
}
