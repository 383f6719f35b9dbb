package dev.weir.rules.envoy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.rules.TestEnvoy;
import dev.weir.rules.TestRules;
import dev.weir.rules.syntax.LimitSyntax;
import dev.weir.rules.yaml.LintCodes;
import dev.weir.testkit.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The examples of docs/envoy-format.md load, and the page documents every key. */
class EnvoyDocTest {
  private static final Path DOC = Repository.path("docs/envoy-format.md");
  private static final Pattern EXAMPLE = Pattern.compile("(?ms)^```yaml\n(.*?)^```$");

  private static List<String> examples() throws IOException {
    return EXAMPLE
        .matcher(Files.readString(DOC))
        .results()
        .map(example -> example.group(1))
        .toList();
  }

  @Test
  void eachExampleLoadsWithoutWarning() throws Exception {
    assertThat(examples()).hasSize(2);
    for (String yaml : examples()) {
      assertThat(TestRules.load(yaml).warnings()).as(yaml).isEmpty();
      assertThat(TestRules.load(yaml).domains().rules()).hasSizeGreaterThan(2);
    }
  }

  @Test
  void everyKeyAndEveryAlgorithmIsNamed() throws IOException {
    String doc = Files.readString(DOC);
    assertThat(EnvoyFiles.KEYS).allMatch(key -> doc.contains("`" + key + "`"));
    assertThat(EnvoyDescriptors.KEYS).allMatch(key -> doc.contains("`" + key + "`"));
    assertThat(EnvoyRates.KEYS).allMatch(key -> doc.contains("`" + key + "`"));
    assertThat(LimitSyntax.ALGORITHMS.keySet())
        .allMatch(one -> doc.contains("`" + one.replace('-', '_') + "`"));
  }

  @Test
  void everyWarningHasARemedy() throws IOException {
    String doc = Files.readString(DOC);
    assertThat(LintCodes.OF_ENVOY).allMatch(code -> doc.contains("| `" + code + "` | "));
  }

  @Test
  void elevenLevelsAreAccepted() {
    assertThat(TestEnvoy.errors("f", nested(11))).isEmpty();
    assertThat(TestEnvoy.errors("f", nested(12))).singleElement().asString().contains("nesting");
  }

  /** Nested descriptors with a limit at the innermost. */
  private static String nested(int levels) {
    return "domain: shop\n"
        + "descriptors: [{key: a, ".repeat(levels)
        + "rate_limit: {unit: day, requests_per_unit: 1}"
        + "}]".repeat(levels);
  }
}
