package dev.weir.cli.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cli.CommandRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Arguments of explain: malformed ones, secrets, and text that must not reach a terminal. */
class ExplainArgumentsTest {
  @TempDir private Path directory = Path.of("");

  private static CommandRun explain(Object rules, Object... more) {
    Object[] args = new Object[more.length + 2];
    args[0] = "explain";
    args[1] = rules;
    System.arraycopy(more, 0, args, 2, more.length);
    return CommandRun.weir(args).assertHarmless();
  }

  @Test
  void secretValuesAreRedactedUnlessShowValuesIsGiven() {
    String key = "sk-0123456789";
    Object[] args = {"--request", "GET /", "--header", "X-API-Key: " + key};
    CommandRun hidden = explain(CommandRun.SAMPLE, args);
    assertThat(hidden.out()).doesNotContain(key).contains("header x-api-key sk… (13 characters)");
    assertThat(
            CommandRun.weir(
                    "explain", CommandRun.SAMPLE, "--json", args[0], args[1], args[2], args[3])
                .out())
        .doesNotContain(key);
    assertThat(
            CommandRun.weir(
                    "explain",
                    CommandRun.SAMPLE,
                    "--show-values",
                    args[0],
                    args[1],
                    args[2],
                    args[3])
                .out())
        .contains("header x-api-key " + key + ", as caller");
  }

  @Test
  void keysDependOnTheSecret() throws IOException {
    Path raw = Files.write(directory.resolve("raw"), new byte[16]);
    Path hex = Files.writeString(directory.resolve("hex"), "00".repeat(15) + "0F\n");
    Path bad = Files.writeString(directory.resolve("bad"), "hunter2");
    Object[] request = {"--request", "GET /", "--key-secret-file"};
    String zeros = explain(CommandRun.SAMPLE, "--request", "GET /").out();
    assertThat(zeros).contains("Keys depend on a secret.");
    String same = explain(CommandRun.SAMPLE, request[0], request[1], request[2], raw).out();
    assertThat(zeros).startsWith(same);
    String other = explain(CommandRun.SAMPLE, request[0], request[1], request[2], hex).out();
    assertThat(other).isNotEqualTo(same).hasSameSizeAs(same);
    CommandRun refused = explain(CommandRun.SAMPLE, request[0], request[1], request[2], bad);
    assertThat(refused.exit()).isEqualTo(2);
    assertThat(refused.err())
        .isEqualTo(
            "weir: --key-secret-file: "
                + bad
                + ": no key secret (expected: 16 bytes, or 32 hexadecimal digits)\n");
    assertThat(explain(CommandRun.SAMPLE, request[0], request[1], request[2], "/missing").exit())
        .isEqualTo(2);
  }

  @Test
  void refusedRulesAreNotExplained() throws IOException {
    Path rules =
        Files.writeString(
            directory.resolve("rules.yaml"), "rules:\n  - {name: all, limit: -1/second}\n");
    CommandRun run = explain(rules, "--request", "GET /");
    assertThat(run.exit()).isEqualTo(1);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).startsWith(rules + ":2:24: limit: ");
    assertThat(explain(directory.resolve("missing"), "--request", "GET /").err())
        .endsWith(": no such file or directory\n");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "/login", "POST", "POST login", "POST /a b c", "PO(ST /login", "\u001b[2J /"})
  void malformedRequestIsRefusedWithTheExpectedForm(String request) {
    CommandRun run = explain(CommandRun.SAMPLE, "--request", request);
    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.err())
        .startsWith("weir explain: --request: ")
        .contains("(expected: a method and a path, such as 'POST /login')");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--header | X-API-Key   | a name, a colon and a value, such as 'X-API-Key: k'",
        "--header | X API: k    | a name, a colon and a value, such as 'X-API-Key: k'",
        "--header | : k         | a name, a colon and a value, such as 'X-API-Key: k'",
        "--peer   | localhost   | an IP address, such as 192.0.2.1 or 2001:db8::1",
        "--entry  | tenant      | a name and a value, such as tenant=acme",
        "--entry  | =acme       | a name and a value, such as tenant=acme",
      })
  void malformedOptionsAreRefusedWithTheExpectedForm(String option, String value, String expected) {
    CommandRun run = explain(CommandRun.SAMPLE, "--request", "GET /", option, value);
    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.err())
        .startsWith("weir explain: " + option + ": " + value + " (expected: " + expected + ")\n");
  }

  @Test
  void contentOfARequestIsEscapedForTheTerminal() {
    String[] odd = {"\u001b[2J", "a\u202eb", "\u009b31m", "\ud800", "a\u2028b"};
    for (String one : odd) {
      explain(
          CommandRun.SAMPLE,
          "--show-values",
          "--request",
          "GET /" + one,
          "--header",
          "X-Plan: " + one);
      explain(
          CommandRun.SAMPLE,
          "--show-values",
          "--request",
          "GET /",
          "--host",
          one,
          "--entry",
          one + "=" + one);
      explain(one, "--request", "GET /");
    }
    assertThat(explain(CommandRun.SAMPLE, "--request", "GET /", "--header", "X: \u001b[2J").err())
        .contains("--header: X: \\u001b[2J (expected: a value without control characters)");
  }
}
