package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.server.settings.ServerSettings;
import dev.weir.testkit.Repository;
import java.nio.file.Files;
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

  @Test
  void docsListEveryMetric() throws Exception {
    String manual = Files.readString(Repository.path("docs/metrics.md"));
    String rules = "rules: [{name: all, limit: 900/hour}]";
    try (TestServer served = TestServer.with(rules, ServerSettings.DEFAULT, new FaultyStore())) {
      served.get("/v1/check/");
      Set<String> exposed = names(EXPOSED, served.admin("GET", "/metrics", "").body());
      assertThat(names(DOCUMENTED, manual)).containsAll(exposed);
      int store = manual.indexOf("## The store");
      String section = manual.substring(store, manual.indexOf("\n## ", store));
      assertThat(exposed).hasSizeGreaterThan(20).containsAll(names(DOCUMENTED, section));
    }
  }
}
