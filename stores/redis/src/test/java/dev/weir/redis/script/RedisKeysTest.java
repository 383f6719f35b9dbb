package dev.weir.redis.script;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.LimitKey;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class RedisKeysTest {
  private final RedisKeys keys = new RedisKeys("w:");

  @Test
  void nameIsThePrefixAndBothHalvesInBase64() {
    SplittableRandom random = new SplittableRandom(5);
    for (int i = 0; i < 1_000; i++) {
      LimitKey key = new LimitKey(random.nextLong(), random.nextLong());
      assertThat(name(key)).isEqualTo("w:{" + base64(key.high()) + "}" + base64(key.low()));
    }
  }

  @Test
  void extremeKeysHaveNamesOfTheSameLength() {
    assertThat(name(new LimitKey(0, -1))).isEqualTo("w:{AAAAAAAAAAA}__________8");
    assertThat(name(new LimitKey(Long.MIN_VALUE, 1))).isEqualTo("w:{gAAAAAAAAAA}AAAAAAAAAAE");
  }

  private String name(LimitKey key) {
    return new String(keys.name(key), StandardCharsets.US_ASCII);
  }

  private static String base64(long half) {
    byte[] bytes = ByteBuffer.allocate(Long.BYTES).putLong(half).array();
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }
}
