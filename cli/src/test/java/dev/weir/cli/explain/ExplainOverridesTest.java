package dev.weir.cli.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cli.CommandRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Explanations for callers with overrides. */
class ExplainOverridesTest {
  @TempDir private Path directory = Path.of("");

  private String explain(String rules, String key) throws IOException {
    Path file = Files.writeString(directory.resolve("rules.yaml"), rules);
    String header = "X-Key: " + key;
    return CommandRun.weir(
            "explain", file, "--request", "GET /", "--show-values", "--header", header)
        .assertHarmless()
        .out();
  }

  @Test
  void multipleIsExplainedWithItsBase() throws IOException {
    String rules =
        """
        tiers: {free: 2/second, pro: 20/second}
        rules:
          - {name: plain, per: header X-Key, limit: 3/second, overrides: {acme: 10x}}
          - name: tiered
            per: header X-Key
            tier: {acme: pro, globex: pro}
            default-tier: free
            overrides: {acme: 2.5x}
        """;
    assertThat(explain(rules, "acme"))
        .contains("    override     for header x-key acme: 10x of the rule's limits\n")
        .contains("    limit        30/second, burst 30, token-bucket\n")
        .contains("    override     for header x-key acme: 2.5x of the limits of its tier\n")
        .contains("    limit        50/second, burst 50, token-bucket\n");
    assertThat(explain(rules, "globex"))
        .contains("    tier         pro, for header x-key globex\n");
  }

  @Test
  void partialShadowRuleStatesWhetherItCountsTheCaller() throws IOException {
    String rules = "rules: [{name: a, per: header X-Key, limit: 1/s, shadow: true, rollout: %s}]\n";
    assertThat(explain(rules.formatted("0.01%"), "k"))
        .contains("  a\n    rollout: this caller is not among the 0.01%\n");
    assertThat(explain(rules.formatted("99.99%"), "k"))
        .contains("rollout      shadow: counts 99.99% of callers, never denies\n");
  }

  @Test
  void blockedCallerIsExplainedWithItsStatus() throws IOException {
    String rule = "{name: a, per: header X-Key, limit: 1/s, block: foe, blocked-status: 403}";
    assertThat(explain("rules: [" + rule + "]\n", "foe"))
        .contains("result       denied with 403\n");
  }
}
