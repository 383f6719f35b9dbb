package dev.weir.server.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.lang.management.ManagementFactory;
import java.util.Collections;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The values of a JSON body are counted before it is decoded. */
class JsonBodyTest {
  private static final int LARGEST = 1 << 20;
  private static final long LITTLE = 4L << 20;

  @ParameterizedTest
  @ValueSource(strings = {"{}", "[]", "1", "\"\""})
  void tooManyValuesAreRejectedBeforeDecoding(String value) {
    int count = LARGEST / (value.length() + 1);
    Buffer body = Buffer.buffer("{\"a\":[" + (value + ",").repeat(count) + value + "]}");
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    assertThatThrownBy(() -> JsonBody.decode(body))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("at most");
    assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(LITTLE);
  }

  @Test
  void separatorsInStringsAreNotCounted() {
    String text = "\\\",[{".repeat(LARGEST / 12);
    JsonObject one = new JsonObject().put("a", text);
    assertThat(JsonBody.decode(one.toBuffer())).isEqualTo(one);
  }

  @Test
  void maximumNumberOfValuesIsDecoded() {
    JsonArray max = new JsonArray(Collections.nCopies(JsonBody.MAX_VALUES - 1, 1));
    assertThat(JsonBody.decode(max.toBuffer())).isEqualTo(max);
  }
}
