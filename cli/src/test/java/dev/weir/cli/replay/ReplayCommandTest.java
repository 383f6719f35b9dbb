package dev.weir.cli.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cli.CommandRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code weir replay} and {@code weir suggest} on a log in combined format. */
class ReplayCommandTest {
  private static final int REQUESTS = 200;

  @TempDir private Path folder = Path.of("");
  private Path log = Path.of("");
  private Path rules = Path.of("");

  @BeforeEach
  void writeLogAndRules() throws IOException {
    log = folder.resolve("access.log");
    rules = folder.resolve("rules.yaml");
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < REQUESTS; i++) {
      lines.add(
          "192.0.2.%d - - [15/Jan/2027:08:00:%02d +0000] \"GET /items/%d HTTP/1.1\" 200 12 \"-\" \"curl\""
              .formatted(i % 2 == 0 ? 1 : 3 + i % 50, i / 4, i));
    }
    Files.write(log, lines);
    Files.writeString(
        rules, "rules:\n  - {name: each, per: ip, limit: 60/minute, algorithm: fixed-window}\n");
  }

  @Test
  void reportBeginsWithTheVerdict() {
    CommandRun run = CommandRun.weir("replay", log, "--rules", rules).assertHarmless();
    assertThat(run.err()).isEmpty();
    assertThat(run.exit()).isZero();
    assertThat(run.out())
        .startsWith("20 % of 200 requests would have been denied; 1 caller would be hurt.\n")
        .contains("each", "GET /items/*", "ip 192.0.2.1");
    assertThat(run.out().lines()).allMatch(line -> line.length() <= 100);
  }

  @Test
  void jsonHasThreeRunsForALogInSeconds() {
    CommandRun run = CommandRun.weir("replay", log, "--rules", rules, "--json");
    assertThat(run.exit()).isZero();
    assertThat(run.out())
        .startsWith("{\"version\":1,")
        .contains("\"spread\":\"start\"", "\"spread\":\"even\"", "\"spread\":\"random\"");
    assertThat(CommandRun.weir("replay", log, "--rules", rules, "--json", "--spread", "even").out())
        .doesNotContain("\"spread\":\"start\"");
  }

  @Test
  void exceededGateHasAnExitCodeOfItsOwn() {
    CommandRun run =
        CommandRun.weir("replay", log, "--rules", rules, "--max-denied", "0.5%", "--max-hurt", 0);
    assertThat(run.exit()).isEqualTo(4);
    assertThat(run.err())
        .isEqualTo(
            """
            weir: --max-denied 0.5 %: 20 % of the requests would be denied
            weir: --max-hurt 0: 1 caller would be hurt
            """);
    assertThat(CommandRun.weir("replay", log, "--rules", rules, "--max-denied", "20%").exit())
        .isZero();
  }

  @Test
  void rulesOfTodayAreComparedWith() throws IOException {
    Path today = folder.resolve("today.yaml");
    Files.writeString(today, Files.readString(rules).replace("60/minute", "100/minute"));
    CommandRun run = CommandRun.weir("replay", log, "--rules", rules, "--against", today);
    assertThat(run.out()).contains("Against " + today, "newly denied by each: 40");
  }

  @Test
  void refusedRulesAndMissingFilesAreReported() throws IOException {
    Files.writeString(rules, "rules:\n  - {name: each, limit: 5/minuet}\n");
    CommandRun refused = CommandRun.weir("replay", log, "--rules", rules).assertHarmless();
    assertThat(refused.exit()).isEqualTo(1);
    assertThat(refused.err()).contains("minuet (expected: minute; did you mean that?)");
    CommandRun missing =
        CommandRun.weir("replay", folder.resolve("no.log"), "--rules", CommandRun.SAMPLE)
            .assertHarmless();
    assertThat(missing.exit()).isEqualTo(2);
    assertThat(missing.err()).contains("no.log").hasLineCount(1);
  }

  @ParameterizedTest
  @CsvSource({
    "--spread, late, 'start, even or random'",
    "--past-denials, ignore, keep or drop-retries",
    "--hurt, 5, 'a share between 0% and 100%, such as 0.5%'",
    "--hurt, 100%, a share below 100%",
    "--max-denied, 0.5, 'a share between 0% and 100%, such as 0.5%'",
    "--max-hurt, -1, a whole number between 0 and 9223372036854775807",
    "--seed, x, a whole number between 0 and 9223372036854775807"
  })
  void wrongValuesAreReportedWithWhatIsExpected(String flag, String value, String expected) {
    CommandRun run = CommandRun.weir("replay", log, "--rules", rules, flag + "=" + value);
    run.assertHarmless();
    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.err())
        .startsWith("weir replay: " + flag + ": " + value + " (expected: " + expected + ")\n");
  }

  @Test
  void standardInputIsReadOnce() {
    assertThat(CommandRun.weir("replay", "-", "-", "--rules", rules).err())
        .startsWith("weir replay: LOG: - twice (expected: standard input once)\n");
    assertThat(CommandRun.weir("replay", "-", "--rules", "-").err())
        .startsWith("weir replay: --rules: - twice (expected: standard input once)\n");
  }

  @Test
  void suggestedRulesAreValidAndHardlyDeny() throws IOException {
    CommandRun suggested = CommandRun.weir("suggest", log, "--enforce").assertHarmless();
    assertThat(suggested.exit()).isZero();
    assertThat(suggested.err()).isEmpty();
    Files.writeString(rules, suggested.out());
    CommandRun valid = CommandRun.weir("validate", "--strict", rules);
    assertThat(valid.out()).contains(": ok, 2 rules, 0 warnings");
    assertThat(CommandRun.weir("replay", log, "--rules", rules, "--max-denied", "2%").exit())
        .isZero();
    assertThat(CommandRun.weir("suggest", log).out()).contains("shadow: true");
  }

  @Test
  void suggestionsNeedRequestsAndAShare() throws IOException {
    assertThat(CommandRun.weir("suggest", log, "--deny", "50%").err())
        .startsWith("weir suggest: --deny: 50% (expected: a share between 0.1% and 10%)\n");
    Path empty = Files.createFile(folder.resolve("empty.log"));
    CommandRun run = CommandRun.weir("suggest", empty).assertHarmless();
    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.err()).contains("empty.log");
  }
}
