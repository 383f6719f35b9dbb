package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.redis.RedisStore;
import dev.weir.redis.connection.RedisSettings;
import dev.weir.server.settings.MetricsSettings;
import dev.weir.server.settings.ServerSettings;
import dev.weir.testkit.Repository;
import dev.weir.testkit.redis.Await;
import dev.weir.testkit.redis.RedisServer;
import java.nio.file.Files;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The manual lists every metric, and every store metric of the manual exists. */
class MetricsDocTest {
  private static final Pattern EXPOSED = Pattern.compile("(?m)^# TYPE (weir_\\w+) ");
  private static final Pattern DOCUMENTED = Pattern.compile("`(weir_\\w+)(?:\\{[a-z_,]+})?`");

  private static Set<String> names(Pattern pattern, String text) {
    return pattern
        .matcher(text)
        .results()
        .map(found -> found.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static final String RULES = "rules: [{name: all, limit: 900/hour}]";

  @Test
  void docsListEveryMetric() throws Exception {
    String manual = Files.readString(Repository.path("docs/metrics.md"));
    MetricsSettings metrics =
        ServerSettings.DEFAULT.metrics().withExpectedServers(OptionalInt.of(3));
    try (RedisServer redis = RedisServer.start("maxmemory 100mb");
        RedisStore store = RedisStore.connect(RedisSettings.parse(redis.url() + "?deadline=5s"));
        TestServer served =
            TestServer.on(
                RULES, ServerSettings.DEFAULT.withMetrics(metrics), store, "10.0.0.5:6379")) {
      served.get("/v1/check/");
      Await.until(
          "the memory of Redis",
          Duration.ofSeconds(60),
          () -> exposed(served).contains("weir_store_memory_max_bytes"));
      Set<String> exposed = exposed(served);
      assertThat(names(DOCUMENTED, manual)).containsAll(exposed);
      int start = manual.indexOf("## The store");
      String section = manual.substring(start, manual.indexOf("\n## ", start));
      assertThat(exposed).hasSizeGreaterThan(20).containsAll(names(DOCUMENTED, section));
    }
  }

  private static Set<String> exposed(TestServer served) {
    return names(EXPOSED, served.admin("GET", "/metrics", "").body());
  }
}
