package dev.weir.gateway.cost;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.key.KeySpace;
import dev.weir.rules.RulesLoader;
import dev.weir.rules.yaml.RulesText;
import dev.weir.testkit.Repository;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The example and the numbers of docs/llm.md are right. */
class LlmDocTest {
  private static final Pattern EXAMPLE = Pattern.compile("(?ms)^```yaml\n(.*?)^```$");

  @Test
  void exampleLoadsWithoutWarning() throws Exception {
    Matcher example = EXAMPLE.matcher(Files.readString(Repository.path("docs/llm.md")));
    assertThat(example.find()).isTrue();
    RulesLoader loader = new RulesLoader(KeySpace.random(), Map.of()).forGateway(false);
    var rules = loader.load(List.of(RulesText.of("llm.md", example.group(1))));
    assertThat(rules.warnings()).isEmpty();
    assertThat(rules.book().rules()).hasSize(2);
  }

  @Test
  void numbersAreThoseOfTheCode() throws Exception {
    String doc = Files.readString(Repository.path("docs/llm.md"));
    assertThat(doc).contains("or " + Costs.USUAL_OUTPUT_TOKENS + " tokens until ");
    assertThat(doc).contains("until " + ModelOutputs.MIN_ANSWERS + " answers are known");
    assertThat(doc).contains("bodies up to " + (LlmRequest.MAX_BODY_BYTES >> 20) + " MiB");
  }
}
