package dev.weir.cli.validate;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.util.JSONArrayUtils;
import dev.weir.cli.CommandRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ValidateCommandTest {
  private static final String GOOD = "rules:\n  - {name: all, limit: 10/second}\n";
  private static final String DOUBTFUL =
      "rules:\n  - {name: all, per: header X-Key, limit: 10/second}\n";
  private static final String BAD = "rules:\n  - {name: all, limitt: 10/second, burst: 0}\n";

  @TempDir private Path directory = Path.of("");

  private Path file(String name, String text) throws IOException {
    return Files.writeString(directory.resolve(name), text);
  }

  @Test
  void sampleIsValidWithWarnings() {
    CommandRun run = CommandRun.weir("validate", CommandRun.SAMPLE).assertHarmless();
    assertThat(run.exit()).isEqualTo(0);
    assertThat(run.out().lines())
        .last()
        .asString()
        .matches(CommandRun.SAMPLE + ": ok, 8 rules, \\d+ warnings, version [0-9a-f]{12}");
    assertThat(run.out())
        .contains(CommandRun.SAMPLE + ":16:5: warning: plan: ", "[forgeable-key]\n");
    assertThat(run.err()).isEmpty();
  }

  @Test
  void everyErrorHasALocationAndTheExitCodeIsOne() throws IOException {
    Path file = file("bad.yaml", BAD);
    CommandRun run = CommandRun.weir("validate", file).assertHarmless();
    assertThat(run.exit()).isEqualTo(1);
    assertThat(run.out()).contains(file + ":2:17: ").contains("burst: 0 (expected: ");
    assertThat(run.out().lines()).last().asString().matches(".*: refused, \\d errors, 0 warnings");
  }

  /** What matters to weir serve alone is no warning in a file for weir gateway. */
  @Test
  void fileWithUpstreamsIsCheckedForAGateway() throws IOException {
    String rules = "rules:\n  - {name: few, concurrent: 5}\n";
    CommandRun server = CommandRun.weir("validate", file("server.yaml", rules));
    assertThat(server.out()).contains("use weir gateway, or /v1/decide", "[needs-release]\n");
    String routed =
        "upstreams: {up: http://127.0.0.1:9000}\nroutes: [{upstream: up}]\n"
            + "shedding: {capacity: 100}\n"
            + rules
            + "  - {name: tokens, per: model, limit: 9/hour, cost: {llm: tokens}}\n";
    CommandRun gateway = CommandRun.weir("validate", "--strict", file("gateway.yaml", routed));
    assertThat(gateway.out()).doesNotContain("needs-release", "needs-gateway");
  }

  @Test
  void warningsCountAsErrorsIfStrict() throws IOException {
    Path file = file("doubtful.yaml", DOUBTFUL);
    assertThat(CommandRun.weir("validate", file).exit()).isEqualTo(0);
    CommandRun strict = CommandRun.weir("validate", "--strict", file);
    assertThat(strict.exit()).isEqualTo(1);
    assertThat(strict.out())
        .containsPattern(": refused by --strict, 1 rule, 1 warning, version [0-9a-f]{12}\n$");
  }

  @Test
  void quietPrintsOnlyTheCauseOfTheFailure() throws IOException {
    Path doubtful = file("doubtful.yaml", DOUBTFUL);
    assertThat(CommandRun.weir("validate", "-q", doubtful, file("good.yaml", GOOD)).out())
        .isEmpty();
    assertThat(CommandRun.weir("validate", "-q", "--strict", doubtful).out().lines())
        .singleElement()
        .asString()
        .contains(":2:17: warning: ");
    assertThat(CommandRun.weir("validate", "--quiet", file("bad.yaml", BAD)).out())
        .contains("limitt")
        .doesNotContain("refused");
  }

  @Test
  void argumentsAreCheckedSeparately() throws IOException {
    // Together these would be refused: a name may stand only once.
    CommandRun run = CommandRun.weir("validate", file("one.yaml", GOOD), file("two.yaml", GOOD));
    assertThat(run.exit()).isEqualTo(0);
    assertThat(run.out().lines())
        .hasSize(2)
        .allMatch(line -> line.contains(": ok, 1 rule, 0 warnings, version "));
  }

  @Test
  void domainsAndDescriptorsAreCountedBesidesRules() throws IOException {
    String shop = "domain: shop\ndescriptors: [{key: %s, descriptors: [{key: b}]}]\n";
    file("shop.yaml", shop.formatted("a"));
    assertThat(CommandRun.weir("validate", directory).assertHarmless().out())
        .matches(
            Pattern.quote(directory.toString())
                + ": ok, 1 domain, 2 descriptors, 0 warnings, version [0-9a-f]{12}\n");
    file("ours.yaml", GOOD);
    assertThat(CommandRun.weir("validate", directory).out())
        .matches(
            Pattern.quote(directory.toString())
                + ": ok, 1 rule, 1 domain, 2 descriptors, 0 warnings, version [0-9a-f]{12}\n");
    assertThat(CommandRun.weir("validate", "--json", directory).out())
        .contains("\"rules\": 1,", "\"domains\": 1,", "\"descriptors\": 2,");
    file("more.yaml", shop.formatted("c"));
    assertThat(CommandRun.weir("validate", directory).out())
        .contains("each domain in one file only");
    assertThat(CommandRun.weir("validate", "--merge-domains", directory).out())
        .matches(
            Pattern.quote(directory.toString())
                + ": ok, 1 rule, 1 domain, 4 descriptors, 0 warnings, version [0-9a-f]{12}\n");
  }

  @Test
  void filesOfADirectoryAreReadAsOne() throws IOException {
    file("a.yaml", GOOD);
    file("b.yml", "rules:\n  - {name: more, limit: 1/minute}\n");
    file("notes.txt", "not: [rules");
    assertThat(CommandRun.weir("validate", directory).out())
        .matches(
            Pattern.quote(directory.toString())
                + ": ok, 2 rules, 0 warnings, version [0-9a-f]{12}\n");
    file("c.yaml", GOOD);
    CommandRun twice = CommandRun.weir("validate", directory);
    assertThat(twice.exit()).isEqualTo(1);
    assertThat(twice.out()).contains(directory.resolve("c.yaml") + ":2:");
  }

  @Test
  void unreadableFilesAreReported() throws IOException {
    Path good = file("good.yaml", GOOD);
    Path missing = directory.resolve("missing.yaml");
    Path below = good.resolve("below.yaml");
    Path empty = Files.createDirectory(directory.resolve("empty"));
    CommandRun run = CommandRun.weir("validate", missing, below, empty, good).assertHarmless();
    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.err().lines())
        .containsExactly(
            "weir: " + missing + ": no such file or directory",
            "weir: " + below + ": Not a directory",
            "weir: "
                + empty
                + ": 0 (expected: between 1 and 1000 files that end in .yaml or .yml)");
    assertThat(run.out())
        .matches(
            Pattern.quote(good.toString()) + ": ok, 1 rule, 0 warnings, version [0-9a-f]{12}\n");
  }

  @Test
  void invalidFilesAreRefusedWithALocation() throws IOException {
    byte[] binary = new byte[10_000];
    new Random(1).nextBytes(binary);
    char[] huge = new char[10 << 20];
    Arrays.fill(huge, '#');
    Path binaryFile = Files.write(directory.resolve("binary.yaml"), binary);
    for (Path file :
        List.of(binaryFile, file("huge.yaml", new String(huge)), file("empty.yaml", ""))) {
      CommandRun run = CommandRun.weir("validate", file).assertHarmless();
      assertThat(run.exit()).as(file.toString()).isEqualTo(1);
      assertThat(run.out()).startsWith(file + ":1:").contains("(expected: ");
    }
  }

  @Test
  void contentOfAFileIsEscapedForTheTerminal() throws IOException {
    String escape = "\u001b]0;owned\u0007\u001b[2J\u009b31m\u202e";
    Path file =
        file(
            "escape\u001b[31m.yaml",
            "rules:\n  - name: \"\\e[31mred\"\n    \"\\e[2J\": 1\n    limit: \"\\n\\r\\a\"\n"
                + "    match: {path: \"/\\x9b31m\", header: {\"\\e\": 1}}\n    # "
                + escape
                + "\n  - "
                + escape
                + "\n");
    CommandRun run = CommandRun.weir("validate", file).assertHarmless();
    assertThat(run.exit()).isEqualTo(1);
    assertThat(run.out() + run.err()).contains("escape\\u001b[31m.yaml:");
    CommandRun json = CommandRun.weir("validate", "--json", file).assertHarmless();
    assertThat(json.out()).contains("escape\\u001b[31m.yaml").matches("(?s)[\n -~]*");
  }

  @Test
  void jsonHasTheSameContent() throws Exception {
    Path missing = directory.resolve("missing.yaml");
    Path bad = file("bad.yaml", BAD);
    CommandRun run = CommandRun.weir("validate", "--json", CommandRun.SAMPLE, bad, missing);
    assertThat(run.exit()).isEqualTo(2);
    List<Object> files = JSONArrayUtils.parse(run.out());
    assertThat(files).hasSize(3);
    assertThat(CommandRun.valueAt(files, 0, "file")).isEqualTo(CommandRun.SAMPLE.toString());
    assertThat(CommandRun.valueAt(files, 0, "ok")).isEqualTo("true");
    assertThat(CommandRun.valueAt(files, 0, "rules")).isEqualTo("8");
    assertThat(CommandRun.valueAt(files, 0, "problems", 0, "severity")).isEqualTo("warning");
    assertThat(CommandRun.valueAt(files, 0, "problems", 0, "code")).isEqualTo("forgeable-key");
    assertThat(CommandRun.valueAt(files, 1, "ok")).isEqualTo("false");
    assertThat(CommandRun.valueAt(files, 1, "rules")).isEqualTo("null");
    assertThat(CommandRun.valueAt(files, 1, "problems", 0, "file")).isEqualTo(bad.toString());
    assertThat(CommandRun.valueAt(files, 1, "problems", 0, "line")).isEqualTo("2");
    assertThat(CommandRun.valueAt(files, 1, "problems", 0, "column")).isEqualTo("17");
    assertThat(CommandRun.valueAt(files, 1, "problems", 0, "severity")).isEqualTo("error");
    assertThat(CommandRun.valueAt(files, 1, "problems", 0, "message")).contains("limitt");
    assertThat(CommandRun.valueAt(files, 2, "problems", 0, "line")).isEqualTo("null");
    assertThat(CommandRun.valueAt(files, 2, "problems", 0, "code")).isEqualTo("unreadable");
  }

  @Test
  void tokenSecretsComeFromTheEnvironment() throws IOException {
    Path file =
        file(
            "jwt.yaml",
            """
            jwt: {secret-env: TOKEN_SECRET}
            rules:
              - {name: user, per: jwt sub, limit: 10/second}
            """);
    Map<String, String> environment = Map.of("TOKEN_SECRET", "0123456789".repeat(4));
    assertThat(CommandRun.weir("validate", file).exit()).isEqualTo(1);
    assertThat(CommandRun.in(environment, false, "validate", file).exit()).isEqualTo(0);
  }
}
