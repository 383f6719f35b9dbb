package dev.weir.cli.explain;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.util.JSONObjectUtils;
import dev.weir.cli.CommandRun;
import dev.weir.cli.LocalServer;
import dev.weir.cli.terminal.Terminal;
import dev.weir.server.settings.ServerSettings;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Explanations by a running server. */
class LiveExplainTest {
  private static final String RULES =
      """
      trusted-proxies: [127.0.0.1/32]
      lint-ignore: [forgeable-key, needs-release]
      rules:
        - {name: login, match: {method: POST, path: /login}, per: ip, limit: 2/hour}
        - {name: key, per: header X-Key, limit: 5/minute, algorithm: sliding-log}
        - {name: flight, match: {path: /login}, concurrent: 3}
        - {name: job, match: {entry: {job: "*"}}, per: entry job, limit: 10/day in UTC}
      """;

  /** The explanation of a request that all rules except one apply to. */
  private static final String EXPLANATION =
      """
      POST /login
        or      /login%3Bv=1
        host    shop.example.com
        client  203.0.113.7
        rules   version V

      Rules that apply
        login
          counts       ip 203.0.113.7
          caller       HASH
          limit        2/hour, burst 2, token-bucket
          remaining    2
          reset        in 0 s
          mode         strict
          store fails  local
        key
          counts       header x-key sk… (13 characters)
          caller       HASH
          limit        5/minute, sliding-log
          remaining    5
          reset        in 0 s
          mode         strict
          store fails  local
        flight
          counts       everybody together
          limit        3 at a time, each for at most 1m
          remaining    3
          reset        in 0 s
          note         held by /v1/decide until /v1/release; /v1/check leaves it out
          mode         strict
          store fails  local

      Rules that do not
        job
          entry job: absent (expected: *)

      Asked now, /v1/check would answer
        allowed, 2 remaining in login
      """;

  @TempDir private Path directory = Path.of("");

  private Path rules() throws Exception {
    return Files.writeString(directory.resolve("rules.yaml"), RULES);
  }

  @Test
  void stateOfCountersIsShownAndNothingIsSpent() throws Exception {
    try (LocalServer live = LocalServer.with(rules())) {
      Object[] arguments = {
        "explain",
        "--server",
        live.admin(),
        "--request",
        "post /login;v=1",
        "--header",
        "X-Key: sk-0123456789",
        "--header",
        "X-Forwarded-For: 203.0.113.7",
        "--host",
        "Shop.example.com:80"
      };
      for (int i = 0; i < 3; i++) {
        CommandRun run = CommandRun.weir(arguments).assertHarmless();
        assertThat(run.err()).isEmpty();
        assertThat(run.exit()).isEqualTo(0);
        String shown =
            run.out()
                .replaceAll("version [0-9a-f]+", "version V")
                .replaceAll("caller {7}[0-9a-f]{16}\n", "caller       HASH\n");
        assertThat(shown).isEqualTo(EXPLANATION);
      }
      for (int i = 0; i < 2; i++) {
        CommandRun.weir("check", live.traffic(), "POST", "/login", "--client", "203.0.113.7");
      }
      assertThat(CommandRun.weir(arguments).out())
          .containsPattern(
              "remaining    0\n    reset        in 3\\d\\d\\d s\n    retry        in 1[78]")
          .containsPattern("denied by login, retry in 1[78]\\d\\d s\n");
      assertThat(CommandRun.weir("explain", "--server", live.admin(), "--entry", "job=a").out())
          .startsWith("No HTTP request, only entries\n")
          .contains("counts       entry job … (1 character)\n")
          .contains("limit        10/day in UTC, fixed-window\n");
    }
  }

  @Test
  void jsonIsTheServersWithSecretValuesRedacted() throws Exception {
    try (LocalServer live = LocalServer.with(rules())) {
      Object[] arguments = {
        "explain",
        "--json",
        "--server",
        live.admin(),
        "--request",
        "GET /",
        "--header",
        "X-Key: sk-0123456789",
        "--entry",
        "job=mail-to-everybody"
      };
      CommandRun run = CommandRun.weir(arguments).assertHarmless();
      Map<String, Object> json = JSONObjectUtils.parse(run.out());
      assertThat(CommandRun.valueAt(json, "rules", 1, "caller", 0, "value"))
          .isEqualTo("sk… (13 characters)");
      assertThat(CommandRun.valueAt(json, "rules", 0, "failed", 0, "is")).isEqualTo("GET");
      assertThat(CommandRun.valueAt(json, "rules", 1, "counters", 0, "remaining")).isEqualTo("5");
      assertThat(run.out()).doesNotContain("sk-0123456789", "mail-to-everybody");
      arguments[1] = "--show-values";
      assertThat(CommandRun.weir(arguments).out()).contains("header x-key sk-0123456789");
    }
  }

  @Test
  void leasesOfTheServerAreShown() throws Exception {
    String json =
        "{'rules': [{'rule': 'all', 'mode': 'leased', 'share': '5%', 'applies': true, 'counters':"
            + " [{'allowed': true, 'remaining': 7, 'resetAfterMillis': 0, 'leased': true, 'limit': {'permits': 900,"
            + " 'algorithm': 'fixed-window', 'windowMillis': 60000}}]}]}";
    assertThat(text(json))
        .contains("reset        in 0 s\n    leased       by this server at the moment\n")
        .contains("    mode         leased, share 5%\n");
    assertThat(text(json.replace("'leased': true", "'leased': false")))
        .contains("reset        in 0 s\n    mode         leased, share 5%\n");
    assertThat(text(json.replace("'mode'", "'other'")))
        .as("an older server")
        .doesNotContain("mode", "share");
  }

  @Test
  void degradedStateWithoutTheStoreIsShown() throws Exception {
    String counter = "'limit': {'permits': 9, 'algorithm': 'fixed-window', 'windowMillis': 60000}";
    String rule = "{'rule': 'all', 'mode': 'strict', 'whenStoreFails': '%s', 'applies': true,";
    String json = "{'rules': [" + rule + " 'counters': [{%s, " + counter + "}]}], %s}";
    String standing = "'allowed': true, 'remaining': 7, 'resetAfterMillis': 1, 'degraded': '%s'";
    String decision = "'decision': {'rule': 'all', " + standing + "}";
    assertThat(text(json.formatted("local", standing, decision).formatted("local", "local")))
        .contains("remaining    7 of this server's share: the store does not answer\n")
        .contains("reset        in 1 s\n    mode         strict\n    store fails  local\n")
        .endsWith("  allowed, 7 remaining in all, without the store (local)\n");
    assertThat(text(json.formatted("allow", standing, decision).formatted("allow", "allow")))
        .contains("remaining    not counted: the store does not answer\n")
        .endsWith("  allowed, not counted, without the store (allow)\n");
    assertThat(text(json.formatted("deny", "'leased': false", "'error': {'status': 503}")))
        .contains("remaining    unknown: the store does not answer\n    mode         strict\n")
        .endsWith("  503: the store does not answer, and a rule denies in that case\n");
  }

  private static String text(String json) throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Terminal terminal = new Terminal(new PrintStream(out, true, StandardCharsets.UTF_8), false);
    Map<String, Object> explained = JSONObjectUtils.parse(json.replace('\'', '"'));
    new LiveExplanationText(terminal, new ValueRedactor(false), explained).print();
    return out.toString(StandardCharsets.UTF_8);
  }

  @Test
  void administratorTokenIsSentWhereRequired() throws Exception {
    ServerSettings guarded = ServerSettings.DEFAULT.withAdmin("127.0.0.1", "let-me-in");
    try (LocalServer live = LocalServer.with(rules(), guarded)) {
      Object[] bare = {"explain", "--server", live.admin(), "--request", "GET /"};
      CommandRun refused = CommandRun.weir(bare);
      assertThat(refused.exit()).isEqualTo(2);
      assertThat(refused.err())
          .isEqualTo(
              "weir: "
                  + live.admin()
                  + ": requires an administrator token (give --admin-token-env)\n");
      Object[] shown = {
        "explain", "--server", live.admin(), "--request", "GET /", "--admin-token-env", "TOKEN"
      };
      assertThat(CommandRun.in(Map.of("TOKEN", "let-me-in"), false, shown).exit()).isEqualTo(0);
      assertThat(CommandRun.in(Map.of("TOKEN", "another"), false, shown).exit()).isEqualTo(2);
      assertThat(CommandRun.in(Map.of(), false, shown).err())
          .startsWith("weir explain: --admin-token-env: TOKEN (expected: a variable that is set");
    }
  }

  @Test
  void incompatibleArgumentsAreReported() throws Exception {
    String[] request = {"--request", "GET /"};
    assertThat(usage("explain", "--server", "h:1", rules(), request[0], request[1]))
        .startsWith("weir explain: --server: h:1 and ")
        .contains("(expected: a server or a file, not both)");
    assertThat(usage("explain", request[0], request[1]))
        .startsWith("weir explain: nothing to explain (expected: a rules file, or --server)");
    assertThat(usage("explain", "--server", "nowhere", request[0], request[1]))
        .startsWith("weir explain: --server: nowhere (expected: an address such as ");
    assertThat(usage("explain", "--server", "h:1"))
        .startsWith("weir explain: --request: nothing (expected: ");
    assertThat(usage("explain", "--server", "h:1", "--key-secret-file", "x", "--request", "GET /"))
        .contains("--key-secret-file: x (expected: none with --server, which has its own)");
    assertThat(usage("explain", rules(), "--admin-token-env", "X", request[0], request[1]))
        .contains("--admin-token-env without --server (expected: ");
    assertThat(usage("explain", "--servr", "h:1")).contains("'--servr'");
    try (LocalServer live = LocalServer.with(rules())) {
      String wrongPort = usage("explain", "--server", live.traffic(), request[0], request[1]);
      assertThat(wrongPort).startsWith("weir: " + live.traffic() + ": answered 404, no such path");
    }
  }

  private static String usage(Object... words) {
    CommandRun run = CommandRun.weir(words).assertHarmless();
    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    return run.err();
  }
}
