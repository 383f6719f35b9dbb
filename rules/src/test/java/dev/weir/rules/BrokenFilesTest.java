package dev.weir.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.weir.testkit.Effort;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Every file in {@code rules/broken} is refused with exactly what {@code expected.txt} says. */
class BrokenFilesTest extends BrokenFilesContract {
  private static final Path BROKEN = TestRules.RESOURCES.resolve("broken");

  BrokenFilesTest() {
    super(BROKEN, 140);
  }

  @Test
  void aFileWithFiveMistakesYieldsFiveErrors() throws IOException {
    Path file = BROKEN.resolve("five-mistakes.yaml");
    assertThat(errors("five", Files.readAllBytes(file))).hasSize(5);
  }

  @Test
  void billionLaughsAreRefusedWithoutExpansion() {
    assertTimeoutPreemptively(
        Duration.ofSeconds(Effort.of(60, 1)),
        () -> {
          for (String name : List.of("billion-laughs.yaml", "billion-laughs-by-name.yaml")) {
            assertThat(errors(name, Files.readAllBytes(BROKEN.resolve(name)))).hasSize(1);
          }
        });
  }

  @Test
  void fileOfTenMegabytesIsRefusedByItsSize() {
    byte[] large = new byte[10 << 20];
    Arrays.fill(large, (byte) '#');
    assertThat(errors("f", large))
        .containsExactly("f:1:1: size: more than 4194304 bytes (expected: at most that)");
  }

  @Test
  void bytesThatAreNotUtf8AreRefusedWithTheirLocation() {
    byte[] latin = "rules:\n  # caf\u00e9\n".getBytes(StandardCharsets.ISO_8859_1);
    assertThat(errors("f", latin)).containsExactly("f:2:8: text: byte 0xE9 (expected: UTF-8)");
    byte[] binary = {(byte) 0x7f, 'E', 'L', 'F', 2, 1, 1, 0, 0, (byte) 0xff};
    assertThat(errors("f", binary)).containsExactly("f:1:10: text: byte 0xFF (expected: UTF-8)");
    assertThat(errors("f", "rules:\n  - name: a\0b\n".getBytes(StandardCharsets.UTF_8)))
        .containsExactly("f:2:12: not YAML: character 0x0000 (expected: text)");
  }

  @Test
  void byteOrderMarkAndWindowsLineEndsAreAccepted() {
    String yaml = "\uFEFFrules:\r\n  - name: a\r\n    limit: 5/second\r\n";
    assertThat(TestRules.errors(yaml)).isEmpty();
  }

  @Test
  void thousandWarningsDoNotHideAnError() {
    StringBuilder yaml = new StringBuilder("rules:\n");
    for (int i = 0; i < 1_500; i++) {
      yaml.append("  - {name: r").append(i).append(", per: header X, limit: 1/s}\n");
    }
    yaml.append("  - {name: last, per: jwt sub, limit: 1/s}\n");
    assertThatThrownBy(() -> TestRules.load(yaml.toString())).isInstanceOf(RulesRejected.class);
    assertThat(TestRules.errors(yaml.toString())).singleElement().asString().startsWith("1502:5: ");
  }
}
