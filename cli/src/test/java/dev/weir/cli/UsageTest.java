package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UsageTest {
  @Test
  void everyCommandHasHelpWithAnExample() {
    for (List<String> words :
        List.of(
            List.of("--help"),
            List.of("-h"),
            List.of("validate", "--help"),
            List.of("explain", "--help"),
            List.of("check", "--help"),
            List.of("doctor", "--help"),
            List.of("action", "--help"),
            List.of("reset", "--help"),
            List.of("top", "--help"),
            List.of("serve", "--help"),
            List.of("gateway", "--help"),
            List.of("completion", "--help"),
            List.of("load", "--help"),
            List.of("surge", "--help"),
            List.of("size", "--help"),
            List.of("help", "explain"))) {
      CommandRun run = CommandRun.weir(words.toArray()).assertHarmless();
      assertThat(run.exit()).as(words.toString()).isEqualTo(0);
      assertThat(run.out()).startsWith("Usage: weir ").contains("Examples:\n  weir ");
      assertThat(run.out().lines()).allMatch(line -> line.length() <= 80);
      assertThat(run.err()).isEmpty();
    }
  }

  @Test
  void versionIsOneLine() {
    assertThat(CommandRun.weir("--version").out()).matches("weir .*, Java .*\n");
  }

  @Test
  void misspeltWordsGetASuggestion() {
    assertThat(CommandRun.weir("valdate", "x").err())
        .startsWith("weir: ")
        .contains("'valdate'", "Did you mean validate or gateway?\n", "Try 'weir --help'.\n");
    assertThat(CommandRun.weir("validate", "--jsn", CommandRun.SAMPLE).err())
        .contains("'--jsn'", "Did you mean --json?\n", "Try 'weir validate --help'.\n");
    assertThat(CommandRun.weir("check", "h:1", "GET", "/", "--heder", "a: b").err())
        .contains("'--heder'", "Did you mean --header or --help?\n", "Try 'weir check --help'.\n");
    assertThat(CommandRun.weir("explain", CommandRun.SAMPLE, "--rquest").err())
        .contains("'--rquest'", "Did you mean --request?\n");
    assertThat(CommandRun.weir("serve", "--prot", "8080").err())
        .isEqualTo(
            """
            weir serve: Unknown option: '--prot'
            Did you mean --port?
            Try 'weir serve --help'.
            """);
    assertThat(CommandRun.weir("serve", "--prot=8080").err())
        .contains("'--prot'", "mean --port?\n");
    assertThat(CommandRun.weir("check", "h:1", "GET", "/", "--nonsense").err())
        .contains("'--nonsense'", "There are --header, --host, --client, ");
  }

  @Test
  void errorsNameFlagsByTheirLongName() {
    assertThat(CommandRun.weir("serve", "--port").err())
        .startsWith("weir serve: --port: nothing (expected: PORT)\n");
    assertThat(CommandRun.weir("serve", "--port", 1, "--port", 2).err())
        .startsWith("weir serve: --port: twice (expected: once)\n");
    assertThat(CommandRun.weir("validate", "-q=x", "y").err())
        .startsWith("weir validate: --quiet: x (expected: no value)\n");
    assertThat(CommandRun.weir("validate", "").err())
        .startsWith("weir validate: FILE|DIR: nothing (expected: a path)\n");
    assertThat(CommandRun.weir("explain", CommandRun.SAMPLE, "--request=").err())
        .startsWith("weir explain: --request: nothing (expected: a method and a path, ");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "-",
        "--",
        "--no",
        "validate",
        "validate --json",
        "validate --json=maybe x",
        "explain",
        "explain a b",
        "check",
        "check h:1",
        "check h:1 GET",
        "check h:1 GET / more",
        "check h:1 GET / --json=1",
        "explain a --request",
        "explain a --header --json",
        "explain a --show-values=1",
        "doctor",
        "doctor a",
        "doctor --store",
        "doctor http://127.0.0.1:1 --rules",
        "@args",
        "validate -q -q x",
        "\u001b[2J",
        "validate --\u001b[2J",
      })
  void wrongUsageIsReportedInAFewLines(String line) {
    CommandRun run =
        CommandRun.weir(Stream.of(line.split(" ")).filter(word -> !word.isEmpty()).toArray());
    run.assertHarmless();
    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    assertThat(run.err())
        .startsWith("weir")
        .hasLineCount(run.err().contains("Did you") ? 3 : run.err().contains("There are") ? 3 : 2);
  }

  @Test
  void randomArgumentsNeverShowAStackTrace() {
    Random random = new Random(7);
    List<String> words =
        List.of(
            "validate",
            "explain",
            "help",
            "--json",
            "--strict",
            "-q",
            "--request",
            "GET /",
            "=",
            "--header",
            "A: b",
            "--peer",
            "::",
            "--entry",
            "a=b",
            "-",
            "--",
            "@x",
            "\u001b",
            "",
            CommandRun.SAMPLE.toString(),
            "..",
            "--help=1",
            "-hV",
            "--key-secret-file",
            "\ud800",
            "%s");
    for (int i = 0; i < 500; i++) {
      Object[] line =
          random.ints(random.nextInt(7), 0, words.size()).mapToObj(words::get).toArray();
      CommandRun run = CommandRun.weir(line).assertHarmless();
      assertThat(run.exit()).as(List.of(line).toString()).isBetween(0, 2);
    }
  }

  @Test
  void bugIsReportedInOneLineUnlessDebugIsOn() {
    Map<String, String> hostile =
        new java.util.AbstractMap<>() {
          @Override
          public java.util.Set<Entry<String, String>> entrySet() {
            throw new StackOverflowError("\u001b[2J");
          }

          @Override
          public String get(Object key) {
            return "WEIR_DEBUG".equals(key) ? debug : "";
          }
        };
    debug = "0";
    CommandRun run = CommandRun.in(hostile, false, "validate", CommandRun.SAMPLE);
    assertThat(run.exit()).isEqualTo(3);
    assertThat(run.err())
        .isEqualTo(
            "weir: unexpected java.lang.StackOverflowError: \\u001b[2J"
                + " (a bug; WEIR_DEBUG=1 shows where)\n");
    debug = "1";
    assertThat(CommandRun.in(hostile, false, "validate", CommandRun.SAMPLE).err())
        .contains("StackOverflowError: \\u001b[2J\n", "  at dev.weir.cli.");
  }

  private static String debug = "";

  @Test
  void colourIsForTerminalsOnly() {
    CommandRun plain = CommandRun.in(Map.of(), false, "validate", CommandRun.SAMPLE);
    CommandRun coloured = CommandRun.in(Map.of(), true, "validate", CommandRun.SAMPLE);
    assertThat(coloured.out()).contains("\u001b[32mok\u001b[0m").isNotEqualTo(plain.out());
    assertThat(coloured.out().replaceAll("\u001b\\[[0-9]+m", "")).isEqualTo(plain.out());
    assertThat(CommandRun.in(Map.of(), true, "--help").out()).contains("\u001b[");
    assertThat(CommandRun.in(Map.of(), true, "explain", "\u001b[2J", "--request", "GET /").err())
        .doesNotContain("\u001b");
  }
}
