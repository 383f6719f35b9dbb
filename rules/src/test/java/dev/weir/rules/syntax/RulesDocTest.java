package dev.weir.rules.syntax;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.rules.RulesLoader;
import dev.weir.rules.TestRules;
import dev.weir.rules.gateway.syntax.GatewaySyntax;
import dev.weir.rules.yaml.LintCodes;
import dev.weir.testkit.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The examples of docs/rules.md load, and the page documents every key. */
class RulesDocTest {
  private static final Path DOC = Repository.path("docs/rules.md");
  private static final Pattern EXAMPLE = Pattern.compile("(?ms)^```yaml\n(.*?)^```$");

  @TestFactory
  List<DynamicTest> eachExampleLoadsWithoutWarning() throws IOException {
    List<DynamicTest> tests = new ArrayList<>();
    String doc = Files.readString(DOC);
    Matcher examples = EXAMPLE.matcher(doc);
    while (examples.find()) {
      String yaml = examples.group(1);
      long line = 2 + doc.substring(0, examples.start()).lines().count();
      tests.add(
          DynamicTest.dynamicTest(
              "line " + line,
              () -> {
                assertThat(TestRules.errors(yaml)).isEmpty();
                assertThat(TestRules.lint(yaml)).isEmpty();
              }));
    }
    assertThat(tests).hasSizeGreaterThan(12);
    return tests;
  }

  @Test
  void everyKeyIsInTheTable() throws IOException {
    String doc = Files.readString(DOC);
    String table = doc.substring(doc.indexOf("## All keys"));
    assertThat(row(table, "file"))
        .isEqualTo(with(with(RulesLoader.PARTS, SettingsSyntax.KEYS), GatewaySyntax.KEYS));
    assertThat(row(table, "rule")).isEqualTo(new TreeSet<>(RuleSyntax.KEYS));
    assertThat(row(table, "call")).isEqualTo(new TreeSet<>(CallSyntax.KEYS));
    assertThat(row(table, "`match`")).isEqualTo(new TreeSet<>(MatchSyntax.KEYS));
    assertThat(row(table, "a limit as a mapping")).isEqualTo(new TreeSet<>(AllowanceSyntax.KEYS));
    assertThat(row(table, "`candidate` as a mapping"))
        .isEqualTo(new TreeSet<>(AllowanceSyntax.CANDIDATE_KEYS));
    assertThat(row(table, "`overrides` as a list")).isEqualTo(new TreeSet<>(OverrideSyntax.KEYS));
    assertThat(row(table, "`cost`")).isEqualTo(new TreeSet<>(CostSyntax.KEYS));
    assertThat(row(table, "`prices`")).isEqualTo(with(PriceSyntax.KEYS, Set.of("*")));
    assertThat(row(table, "`ip-prefix`")).isEqualTo(new TreeSet<>(SettingsSyntax.PREFIX_KEYS));
    assertThat(row(table, "`jwt`")).isEqualTo(new TreeSet<>(JwtSyntax.KEYS));
  }

  @Test
  void everyIdentityAndEveryAlgorithmIsDocumented() throws IOException {
    String doc = Files.readString(DOC);
    for (String word : with(IdentitySyntax.BUILT_IN, LimitSyntax.ALGORITHMS.keySet())) {
      assertThat(doc).contains("`" + word + "`");
    }
    assertThat(IdentitySyntax.SOURCES).allMatch(source -> doc.contains("`" + source + " "));
  }

  @Test
  void everyLintCodeHasARemedy() throws IOException {
    String doc = Files.readString(DOC);
    assertThat(LintCodes.OF_RULES).allMatch(code -> doc.contains("| `" + code + "` | "));
  }

  private static Set<String> with(Set<String> some, Set<String> more) {
    Set<String> all = new TreeSet<>(some);
    all.addAll(more);
    return all;
  }

  /** The words in backticks of a row, without its first cell. */
  private static Set<String> row(String table, String where) {
    String row =
        table.lines().filter(line -> line.startsWith("| " + where + " |")).findFirst().orElse("");
    Set<String> words = new TreeSet<>();
    String[] cells = row.split("\\|", -1);
    Matcher word = Pattern.compile("`([^`]+)`").matcher(cells.length > 2 ? cells[2] : "");
    while (word.find()) {
      words.add(word.group(1));
    }
    return words;
  }
}
