package dev.weir.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.weir.rules.yaml.Problem;
import java.time.Duration;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Small files that would be expensive to load without bounds. */
class HostileFilesTest {

  @Test
  void longChainOfIdentitiesDoesNotOverflowTheStack() {
    String chain = lines(900, i -> "  a" + i + ": a" + (i + 1) + "\n");
    assertThat(quickErrors("identity:\n" + chain + "  a900: ip\nrules: []\n"))
        .isNotEmpty()
        .allMatch(error -> error.contains("leads through at most 16 others"));
  }

  @Test
  void blanksInALimitCauseNoBacktracking() {
    String blanks = " ".repeat(1_000_000);
    for (String limit :
        List.of("1%sx", "1 per%s!", "1/%s1%s!", "1/s%sfrom%sday%sx", "1k%sx", "1%sreq%sx")) {
      String written = limit.replace("%s", blanks);
      assertThat(quickErrors("rules:\n  - {name: a, limit: \"" + written + "\"}\n")).hasSize(1);
    }
  }

  @Test
  void tooManyIdentitiesOrTiersAreRefused() {
    String many = lines(1_001, i -> "  a" + i + ": ip\n");
    assertThat(quickErrors("identity:\n" + many + "rules: []\n"))
        .containsExactly("2:3: identity: 1001 names (expected: at most 1000)");
    String tiers = lines(1_001, i -> "  a" + i + ": 1/s\n");
    assertThat(quickErrors("tiers:\n" + tiers + "rules: []\n"))
        .containsExactly("2:3: tiers: 1001 tiers (expected: at most 1000)");
  }

  @Test
  void manyRulesWithManyTiersLoad() {
    String tiers = lines(1_000, i -> "  a" + i + ": " + (i + 1) + "/s\n");
    String rules =
        lines(1_000, i -> "  - {name: r" + i + ", per: ip, tier: header X, default-tier: a1}\n");
    assertThat(quickErrors("tiers:\n" + tiers + "rules:\n" + rules)).isEmpty();
  }

  @Test
  void combinationsOfExceptionsAreBounded() {
    String alternatives = lines(60, i -> (i == 0 ? "" : ", ") + "header H" + i);
    String parts = lines(6, i -> "  p" + i + ": [" + alternatives + ", cookie c" + i + "]\n");
    String per = lines(6, i -> (i == 0 ? "" : ", ") + "p" + i);
    String who = lines(6, i -> (i == 0 ? "" : ", ") + "p" + i + ": x");
    String override = "overrides: [{for: {" + who + "}, limit: 2/s}]";
    String rule = "  - {name: a, per: [" + per + "], limit: 1/s, " + override + "}\n";
    assertThat(quickErrors("identity:\n" + parts + "rules:\n" + rule))
        .singleElement()
        .asString()
        .contains("combinations (expected: at most 1000)");
  }

  @Test
  void numberOfReportedErrorsIsBounded() {
    String rules = lines(5_000, i -> "  - {nme: r" + i + ", per: nobdy" + i + ", limit: x}\n");
    assertThat(quickErrors("rules:\n" + rules)).hasSizeBetween(500, 1_000);
  }

  @Test
  void longValuesAreShortenedAndPrintable() {
    String yaml = "rules: [{name: \"" + "\\e[31m".repeat(500) + "\", limit: 1/s}]";
    assertThat(quickErrors(yaml))
        .singleElement()
        .asString()
        .hasSizeLessThan(250)
        .doesNotContain("\u001b");
  }

  @Test
  void longPathIsShortenedInMessages() {
    String yaml = "rules: [{name: a, match: {path: /" + "x".repeat(100_000) + "/}, limit: 1/s}]";
    assertThat(quickErrors(yaml)).singleElement().asString().hasSizeLessThan(2_100);
  }

  @Test
  void noMessageHasControlCharacters() {
    String bad = "\\e[31m\\u0085\\u202e\\u2028\\x07";
    for (String yaml :
        List.of(
            "{\"%s\": 1}",
            "{identity: {\"%s\": ip}, rules: []}",
            "{tiers: {\"%s\": x}, rules: []}",
            "{rules: [{name: a, per: \"jwt %s\", limit: 1/s}]}",
            "{rules: [{name: a, per: \"trusted-header %s\", limit: 1/s}]}",
            "{rules: [{name: a, match: {header: {\"%s\": {}}}, limit: 1/s}]}",
            "{rules: [{name: a, match: {entry: {\"%s\": {}}}, limit: 1/s}]}",
            "{rules: [{name: a, match: {path: \"/%s\"}, limit: 1/s}]}",
            "{rules: [{name: a, per: ip, limit: \"1/s in %s\", allow: [{\"%s\": \"%s\"}]}]}",
            "{rules: [{name: a, per: path, limit: 1/s, allow: \"%s\"}, {name: \"\"}]}")) {
      try {
        TestRules.load(yaml.replace("%s", bad));
        fail("no error in " + yaml);
      } catch (RulesRejected e) {
        for (Problem problem : e.problems()) {
          assertThat(problem.message()).as(yaml).doesNotContainPattern("[\\p{Cc}\\p{Cf}\\u2028]");
        }
      }
    }
  }

  @Test
  void deepNestingOfAnyKindIsRefused() {
    for (String nested :
        List.of("[".repeat(100_000), "{a: ".repeat(100_000), "- ".repeat(100_000))) {
      assertThat(quickErrors(nested)).singleElement().asString().contains("nesting: 25");
    }
  }

  private static String lines(int count, IntFunction<String> line) {
    return IntStream.range(0, count).mapToObj(line).collect(Collectors.joining());
  }

  private static List<String> quickErrors(String yaml) {
    return assertTimeoutPreemptively(Duration.ofMinutes(2), () -> TestRules.errors(yaml));
  }
}
