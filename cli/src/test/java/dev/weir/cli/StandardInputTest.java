package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Rules that are not in a file. */
class StandardInputTest {
  private static Ran with(String text, Object... words) {
    InputStream before = System.in;
    System.setIn(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
    try {
      return Ran.weir(words).isHarmless();
    } finally {
      System.setIn(before);
    }
  }

  @Test
  void validateReadsThemByAHyphen() {
    Ran good = with("rules: [{name: all, limit: 9/day}]", "validate", "-");
    assertThat(good.exit()).as(good.err()).isZero();
    assertThat(good.out()).matches("stdin: ok, 1 rule, 0 warnings, version [0-9a-f]{12}\n");
    Ran bad = with("rules: [{name: all, limit: 9/dy}]", "validate", "-", "--json");
    assertThat(bad.exit()).isEqualTo(1);
    assertThat(bad.out()).contains("\"file\": \"stdin\"", "9/dy");
    assertThat(with("rules: 1", "validate", "-").out()).startsWith("stdin:1:8: rules: 1 ");
    assertThat(with("", "validate", "-").exit()).isEqualTo(1);
  }

  @Test
  void itIsReadOnce() {
    Ran twice = with("rules: []", "validate", "-", "-");
    assertThat(twice.exit()).isEqualTo(2);
    assertThat(twice.err())
        .startsWith("weir validate: FILE: - twice (expected: standard input once)\n");
  }

  @Test
  void whatIsTooLargeIsNotReadToItsEnd() {
    Ran large = with("#".repeat(5 << 20), "validate", "-");
    assertThat(large.exit()).isEqualTo(1);
    assertThat(large.out()).contains("stdin:1:1: size: more than 4194304 bytes");
  }

  @Test
  void explainReadsThemToo() {
    Ran ran = with("rules: [{name: all, limit: 9/day}]", "explain", "-", "--request", "GET /");
    assertThat(ran.exit()).isZero();
    assertThat(ran.out()).contains("limit        9/day");
  }
}
