package dev.weir.cli.action;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.util.JSONObjectUtils;
import dev.weir.cli.CommandRun;
import dev.weir.cli.LocalServer;
import dev.weir.server.settings.ServerSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code weir action} and {@code weir reset} on a running server. */
class ActionCommandTest {
  private static final String RULES =
      """
      identity: {key: header X-Key}
      lint-ignore: [forgeable-key]
      rules:
        - {name: site, limit: 100/hour, algorithm: fixed-window}
        - {name: each, per: key, limit: 2/hour, algorithm: fixed-window}
      """;

  private LocalServer server;

  @SuppressWarnings("NullAway.Init")
  ActionCommandTest() {}

  @BeforeEach
  void start(@TempDir Path directory) throws Exception {
    server = LocalServer.with(Files.writeString(directory.resolve("rules.yaml"), RULES));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private CommandRun weir(Object... words) {
    List<Object> all = new ArrayList<>(List.of(words));
    all.addAll(List.of("--server", server.admin()));
    return CommandRun.weir(all.toArray()).assertHarmless();
  }

  private String done(Object... words) {
    CommandRun run = weir(words);
    assertThat(run.exit()).as(run.err()).isZero();
    assertThat(run.err()).isEmpty();
    return run.out();
  }

  private static String id(String out) {
    Matcher found = Pattern.compile("Action ([0-9a-f]{12}) is in force").matcher(out);
    assertThat(found.find()).as(out).isTrue();
    return found.group(1);
  }

  @Test
  void actionIsTakenListedAndUndone() {
    assertThat(done("action", "list")).isEqualTo("No actions are in force.\n");
    String taken = done("action", "multiply", "each", "1.5", "--for", "15m", "--why", "a test");
    String id = id(taken);
    assertThat(taken)
        .matches(
            "Action "
                + id
                + " is in force: multiply each by 1.5\n"
                + "  until  20[0-9T:.-]+Z, in (900|899) s\n"
                + "  by     unnamed from 127.0.0.1, at 20[0-9T:.-]+Z\n"
                + "  why    a test\n"
                + "  undo   weir action undo "
                + id
                + "\n");
    done("action", "shadow", "site", "--for", "1h", "--why", "another");
    assertThat(done("action", "list"))
        .contains("  shadow site\n", id + "  multiply each by 1.5\n")
        .containsSubsequence("shadow", "multiply");
    assertThat(done("action", "undo", id))
        .isEqualTo("Action " + id + " is undone: multiply each by 1.5\n");
    assertThat(done("action", "list")).doesNotContain(id);
    CommandRun again = weir("action", "undo", id);
    assertThat(again.exit()).isEqualTo(2);
    assertThat(again.err())
        .isEqualTo(
            "weir: "
                + server.admin()
                + ": answered 404, id: "
                + id
                + " (expected: the id of an action in force; GET /actions lists them)\n");
  }

  @Test
  void actionSaysWhoTookIt() {
    assertThat(done("action", "shadow", "site", "--for", "1h", "--why", "a test", "--as", "Ann B."))
        .contains("\n  by     Ann B. from 127.0.0.1, at ");
    CommandRun strange = weir("action", "list", "--as", "Ann\nB.");
    assertThat(strange.exit()).isEqualTo(2);
    assertThat(strange.err()).contains("--as: ", "(expected: at most 64 letters");
  }

  @Test
  void callerIsNamedByARequestOrByItsHash() throws Exception {
    String explained = done("explain", "--request", "GET /", "--header", "X-Key: acme");
    Matcher hash = Pattern.compile("caller +([0-9a-f]{16})").matcher(explained);
    assertThat(hash.find()).as(explained).isTrue();
    String blocked =
        done(
            "action",
            "block",
            "--request",
            "GET /",
            "--header",
            "X-Key: acme",
            "--for",
            "1h",
            "--why",
            "a test");
    assertThat(blocked).contains("block caller " + hash.group(1) + " by all rules\n");
    assertThat(done("explain", "--request", "GET /", "--header", "X-Key: acme"))
        .contains("    action       " + id(blocked) + ": block until ", "denied by each");
    String exempt =
        done(
            "action",
            "exempt",
            "--rule",
            "each",
            "--caller",
            hash.group(1),
            "--for",
            "1h",
            "--why",
            "a test",
            "--json");
    Map<String, Object> json = JSONObjectUtils.parse(exempt);
    assertThat(json).containsEntry("action", "exempt").containsEntry("rule", "each");
    assertThat(done("action", "list"))
        .contains("exempt caller " + hash.group(1) + " by rule each\n");
    assertThat(done("explain", "--request", "GET /", "--header", "X-Key: acme"))
        .contains("    action       " + json.get("id") + ": exempt until ");
    assertThat(JSONObjectUtils.parse(done("action", "list", "--json"))).containsKey("actions");
  }

  @Test
  void countersAreReset() throws Exception {
    String[] request = {"--request", "GET /", "--header", "X-Key: acme"};
    assertThat(done("reset", request[0], request[1], request[2], request[3]))
        .isEqualTo(
            """
            Reset 1 counter, left 1 that other callers share
              left   site: 100/hour, fixed-window; the rule counts all callers together
              reset  each: 2/hour, fixed-window
            """);
    assertThat(done("reset", request[0], request[1], request[2], request[3], "--shared"))
        .startsWith("Reset 2 counters\n");
    String json = done("reset", request[0], request[1], "--json");
    assertThat(JSONObjectUtils.parse(json)).containsEntry("reset", 0L);
    CommandRun unknown = weir("reset", "--caller", "0123456789abcdef");
    assertThat(unknown.exit()).isEqualTo(2);
    assertThat(unknown.err()).contains("answered 404, caller: 0123456789abcdef (expected: ");
  }

  @Test
  void serversRefusalIsReportedInItsWords() {
    CommandRun misspelt = weir("action", "shadow", "eahc", "--for", "1m", "--why", "a test");
    assertThat(misspelt.exit()).isEqualTo(2);
    assertThat(misspelt.err())
        .isEqualTo(
            "weir: "
                + server.admin()
                + ": answered 400, rule: eahc (expected: each; did you mean that?)\n");
    assertThat(weir("action", "multiply", "each", "0", "--for", "1m", "--why", "a").err())
        .contains("answered 400, factor: 0 (expected: a number above 0 ");
    assertThat(weir("action", "shadow", "each", "--why", "a").err())
        .contains("answered 400, for, until: neither (expected: one of them)");
  }

  @Test
  void tokenIsRequiredAndSent(@TempDir Path directory) throws Exception {
    Path rules = Files.writeString(directory.resolve("rules.yaml"), RULES);
    ServerSettings settings = ServerSettings.DEFAULT.withAdmin("127.0.0.1", "open-sesame");
    try (LocalServer guarded = LocalServer.with(rules, settings)) {
      CommandRun without = CommandRun.weir("action", "list", "--server", guarded.admin());
      assertThat(without.exit()).isEqualTo(2);
      assertThat(without.err())
          .contains("requires an administrator token (give --admin-token-env)");
      CommandRun with =
          CommandRun.in(
              Map.of("TOKEN", "open-sesame"),
              false,
              "action",
              "list",
              "--server",
              guarded.admin(),
              "--admin-token-env",
              "TOKEN");
      assertThat(with.out()).isEqualTo("No actions are in force.\n");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "action",
        "action nonsense",
        "action multiply",
        "action multiply a",
        "action multiply a 2",
        "action shadow a --for",
        "action undo",
        "action undo ../rules",
        "action undo 5d41402abc4g",
        "action list more",
        "action block --for 1m --why x",
        "action block --caller 1f0e2d3c4b5a6978 --entry a=b --for 1m --why x",
        "action block --entry a --for 1m --why x",
        "action list --server 1",
        "action list --admin-token-env NONE",
        "reset",
        "reset --shared",
        "reset --request x",
      })
  void wrongUsageIsReportedInAFewLines(String line) {
    CommandRun run = CommandRun.weir((Object[]) line.split(" ")).assertHarmless();
    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    assertThat(run.err())
        .startsWith("weir")
        .contains("Try 'weir ")
        .hasLineCount(run.err().contains("Did you") || run.err().contains("There are") ? 3 : 2);
  }

  @Test
  void helpHasExamplesAndFitsATerminal() {
    for (String command :
        List.of(
            "action",
            "action multiply",
            "action shadow",
            "action block",
            "action exempt",
            "action list",
            "action undo",
            "reset")) {
      CommandRun run = CommandRun.weir((Object[]) (command + " --help").split(" "));
      assertThat(run.exit()).as(command).isZero();
      assertThat(run.out()).startsWith("Usage: weir " + command).contains("Examples:\n  weir ");
      assertThat(run.out().lines()).as(command).allMatch(words -> words.length() <= 80);
    }
  }
}
