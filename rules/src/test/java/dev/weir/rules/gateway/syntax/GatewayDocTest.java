package dev.weir.rules.gateway.syntax;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** docs/rules.md documents every key of upstreams, routes and shedding. */
class GatewayDocTest {
  @Test
  void everyKeyIsInTheTable() throws IOException {
    String doc = Files.readString(Repository.path("docs/rules.md"));
    String table = doc.substring(doc.indexOf("## All keys"));
    Map<String, Set<String>> documented =
        Map.of(
            "an upstream", UpstreamSyntax.KEYS,
            "`health`", UpstreamSyntax.HEALTH_KEYS,
            "`ejection`", UpstreamSyntax.EJECTION_KEYS,
            "`tls`", UpstreamSyntax.TLS_KEYS,
            "a route", RouteSyntax.KEYS,
            "`shedding`", SheddingSyntax.KEYS,
            "a priority", SheddingSyntax.PRIORITY_KEYS,
            "`thresholds`", SheddingSyntax.THRESHOLD_KEYS,
            "`queue-delay`", SheddingSyntax.QUEUE_DELAY_KEYS);
    documented.forEach((where, keys) -> assertThat(row(table, where)).as(where).isEqualTo(keys));
  }

  private static Set<String> row(String table, String where) {
    String start = "| " + where + " |";
    String row = table.lines().filter(line -> line.startsWith(start)).findFirst().orElse(start);
    return Pattern.compile("`([^`]+)`")
        .matcher(row.substring(start.length()))
        .results()
        .map(word -> word.group(1))
        .collect(java.util.stream.Collectors.toCollection(TreeSet::new));
  }
}
