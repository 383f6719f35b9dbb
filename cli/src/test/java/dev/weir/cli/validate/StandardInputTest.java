package dev.weir.cli.validate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cli.CommandRun;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Rules on standard input. */
class StandardInputTest {
  private static CommandRun with(String text, Object... words) {
    InputStream before = System.in;
    System.setIn(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
    try {
      return CommandRun.weir(words).assertHarmless();
    } finally {
      System.setIn(before);
    }
  }

  @Test
  void validateReadsStandardInputByAHyphen() {
    CommandRun good = with("rules: [{name: all, limit: 9/day}]", "validate", "-");
    assertThat(good.exit()).as(good.err()).isZero();
    assertThat(good.out()).matches("stdin: ok, 1 rule, 0 warnings, version [0-9a-f]{12}\n");
    CommandRun bad = with("rules: [{name: all, limit: 9/dy}]", "validate", "-", "--json");
    assertThat(bad.exit()).isEqualTo(1);
    assertThat(bad.out()).contains("\"file\": \"stdin\"", "9/dy");
    assertThat(with("rules: 1", "validate", "-").out()).startsWith("stdin:1:8: rules: 1 ");
    assertThat(with("", "validate", "-").exit()).isEqualTo(1);
  }

  @Test
  void standardInputCanBeGivenOnlyOnce() {
    CommandRun twice = with("rules: []", "validate", "-", "-");
    assertThat(twice.exit()).isEqualTo(2);
    assertThat(twice.err())
        .startsWith("weir validate: FILE: - twice (expected: standard input once)\n");
  }

  @Test
  void inputThatIsTooLargeIsNotReadToItsEnd() {
    CommandRun large = with("#".repeat(5 << 20), "validate", "-");
    assertThat(large.exit()).isEqualTo(1);
    assertThat(large.out()).contains("stdin:1:1: size: more than 4194304 bytes");
  }

  @Test
  void explainReadsStandardInputToo() {
    CommandRun run =
        with("rules: [{name: all, limit: 9/day}]", "explain", "-", "--request", "GET /");
    assertThat(run.exit()).isZero();
    assertThat(run.out()).contains("limit        9/day");
  }
}
