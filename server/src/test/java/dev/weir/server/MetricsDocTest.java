package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Every metric is in the manual, and those of the manual about the store are told. */
class MetricsDocTest {
  private static final Pattern TOLD = Pattern.compile("(?m)^# TYPE (weir_\\w+) ");
  private static final Pattern WRITTEN = Pattern.compile("`(weir_\\w+)(?:\\{[a-z_,]+})?`");

  private static Set<String> names(Pattern pattern, String text) {
    return pattern
        .matcher(text)
        .results()
        .map(found -> found.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void theManualNamesWhatIsTold() throws Exception {
    String manual = Files.readString(Path.of("../docs/metrics.md"));
    String rules = "rules: [{name: all, limit: 900/hour}]";
    try (Served served = Served.with(rules, ServerSettings.DEFAULT, new MoodyStore())) {
      served.get("/v1/check/");
      Set<String> told = names(TOLD, served.admin("GET", "/metrics", "").body());
      assertThat(names(WRITTEN, manual)).containsAll(told);
      int store = manual.indexOf("## The store");
      String section = manual.substring(store, manual.indexOf("\n## ", store));
      assertThat(told).hasSizeGreaterThan(20).containsAll(names(WRITTEN, section));
    }
  }
}
