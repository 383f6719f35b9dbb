package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.Snippet;
import dev.weir.testkit.redis.RedisServer;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The example of {@code docs/redis.md} compiles and runs. */
@Timeout(60)
class RedisDocTest {
  @Test
  void exampleCompilesAndRuns(@TempDir Path folder) throws Exception {
    Snippet example = Snippet.in(Path.of("docs/redis.md")).get(0);
    assertThat(example.code()).contains("redis://localhost:6379?deadline=25ms");
    try (RedisServer redis = RedisServer.start()) {
      String url = redis.url() + "?deadline=5s";
      String code = example.code().replace("redis://localhost:6379?deadline=25ms", url);
      String before =
          "Limit limit = Limit.tokenBucket(10, Duration.ofHours(1));"
              + "LimitKey key = KeySpace.random().key(\"acme\");";
      String imports = "import dev.weir.redis.*; import dev.weir.redis.connection.*;";
      String after = "System.out.println(decision.remaining()); store.close();";
      assertThat(new Snippet(code).run(folder, imports, before, after, "")).isEqualTo("9\n");
    }
  }
}
