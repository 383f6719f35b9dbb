package dev.weir.cli.top;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.util.JSONObjectUtils;
import dev.weir.cli.CommandRun;
import dev.weir.cli.LocalServer;
import dev.weir.cli.ServerProcess;
import dev.weir.server.settings.ServerSettings;
import dev.weir.testkit.Ports;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code weir top} where nobody watches: one page of a real server. */
@Timeout(120)
class TopCommandTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String RULES =
      """
      identity: {key: header X-Key}
      lint-ignore: [forgeable-key]
      rules:
        - {name: site, limit: 1000/hour}
        - {name: each, per: key, limit: 2/hour, algorithm: fixed-window}
      """;

  @TempDir private Path directory = Path.of("");

  private Path rules = Path.of("");

  @BeforeEach
  void writeRules() throws Exception {
    rules = Files.writeString(directory.resolve("rules.yaml"), RULES);
  }

  private static CommandRun top(String url, Object... more) {
    List<Object> words = new ArrayList<>(List.of("top", "--server", url));
    words.addAll(List.of(more));
    return CommandRun.weir(words.toArray()).assertHarmless();
  }

  /** Repeats the command until it prints what is expected: a server counts once a second. */
  private static CommandRun await(Predicate<String> expected, String url, Object... more)
      throws Exception {
    long start = System.nanoTime();
    for (CommandRun run = top(url, more); ; run = top(url, more)) {
      if (expected.test(run.out())) {
        return run;
      }
      assertThat(System.nanoTime() - start).as(run.toString()).isLessThan(PATIENCE.toNanos());
      TimeUnit.MILLISECONDS.sleep(50);
    }
  }

  /** Sends requests once the server counts by the second. */
  private static void check(LocalServer server, String key, int times) throws Exception {
    await(out -> out.contains("Started with rules"), server.admin());
    for (int i = 0; i < times; i++) {
      CommandRun.weir("check", server.traffic(), "GET", "/", "--header", "X-Key: " + key);
    }
  }

  private static String caller(LocalServer server, String key) throws Exception {
    String header = "X-Key: " + key;
    CommandRun run =
        CommandRun.weir(
            "explain", "--server", server.admin(), "--request", "GET /", "--header", header);
    return run.out().replaceAll("(?s).*caller +([0-9a-f]{16}).*", "$1");
  }

  @Test
  void deniedCallerIsShownWithItsRule() throws Exception {
    try (LocalServer server = LocalServer.with(rules)) {
      check(server, "greedy", 5);
      check(server, "modest", 1);
      String greedy = caller(server, "greedy");
      CommandRun run =
          await(
              // A caller is listed at once, and its rule when the second has ended.
              out -> out.contains(greedy) && !out.contains("Denied by rule  none"),
              server.admin());
      assertThat(run.exit()).isZero();
      assertThat(run.err()).isEmpty();
      assertThat(run.out())
          .startsWith("weir top  " + server.admin().substring("http://".length()) + " ")
          .contains("\n✓ Weir decides every request. Nothing is wrong.\n")
          .containsPattern("\n  store in this process   mode normal   p99 [^ ]+")
          .containsPattern("\n  allowed .*\n  denied .*\n  events +s\n")
          .containsPattern("\nDenied by rule .*\n  each +[<0-9.]+ +-  [.]+[▁-█][.]*\n")
          .containsPattern("\nTop denied callers .*\n  " + greedy + " +3 +each\n")
          .containsPattern("\n  each +100 %  \\[#{20}] full\n  site +0 %  \\[\\.{20}]\n")
          .containsPattern("\nEvents\n  \\d\\d:\\d\\d:\\d\\d  server +Started with rules ")
          .endsWith("\nActions in force  none\n");
      assertThat(run.out().lines()).allMatch(line -> line.length() <= 80);

      String modest = caller(server, "modest");
      CommandRun allowed = await(out -> out.contains(modest), server.admin(), "--kind", "allowed");
      assertThat(allowed.out())
          .contains("\nTop allowed callers", "rule, in the last minute\n")
          .containsPattern(greedy + " +2 +each\n");
      CommandRun hour = top(server.admin(), "--window", "hour", "--scope", "server");
      assertThat(hour.out()).contains("rule, in the last hour, by this server\n", greedy);
      CommandRun other = top(server.admin(), "--rule", "site");
      assertThat(other.out())
          .doesNotContain(greedy, "each")
          .contains(
              "\nDenied by rule  none\n",
              "\nTop denied callers  none in the last minute\n",
              "\n  site  ");
    }
  }

  @Test
  void actionsInForceAreShown() throws Exception {
    try (LocalServer server = LocalServer.with(rules)) {
      String action =
          "{\"action\": \"multiply\", \"rule\": \"each\", \"factor\": 3,"
              + " \"for\": \"15m\", \"why\": \"month-end\"}";
      assertThat(ServerProcess.send("POST", server.admin() + "/actions", action).statusCode())
          .isEqualTo(201);
      CommandRun run = await(out -> out.contains("month-end"), server.admin(), "--once");
      assertThat(run.out())
          .containsPattern(
              "\nActions in force .*\n  multiply each by 3 +14 min  unnamed: month-end\n")
          .contains("   actions 1 in force\n");
    }
  }

  @Test
  void jsonIsTheServersWithoutTheHistory() throws Exception {
    try (LocalServer server = LocalServer.with(rules)) {
      check(server, "greedy", 4);
      await(out -> out.contains("\"perSecond\""), server.admin(), "--json");
      Map<String, Object> json = JSONObjectUtils.parse(top(server.admin(), "--json").out());
      assertThat(json).containsKeys("time", "decisions", "events", "actions", "utilisation");
      assertThat(json).doesNotContainKey("history");
      assertThat(CommandRun.valueAt(json, "status", "ready")).isEqualTo("true");
      assertThat(CommandRun.valueAt(json, "callers", 0, "rule")).isEqualTo("each");
      json = JSONObjectUtils.parse(top(server.admin(), "--json", "--kind", "allowed").out());
      assertThat(CommandRun.valueAt(json, "callers", 0, "kind")).isEqualTo("allowed");
    }
  }

  @Test
  void tokenIsRequiredAndSent() throws Exception {
    String viewer = "a-viewer-may-look";
    ServerSettings guarded =
        ServerSettings.DEFAULT.withAdmin("127.0.0.1", "open-sesame").withViewerToken(viewer);
    try (LocalServer server = LocalServer.with(rules, guarded)) {
      CommandRun without = top(server.admin());
      assertThat(without.exit()).isEqualTo(2);
      assertThat(without.out()).isEmpty();
      assertThat(without.err())
          .isEqualTo(
              "weir: "
                  + server.admin()
                  + ": requires an administrator token (give --admin-token-env)\n");
      Object[] words = {"top", "--server", server.admin(), "--admin-token-env", "TOKEN"};
      CommandRun wrong = CommandRun.in(Map.of("TOKEN", "sesame"), false, words);
      assertThat(wrong.exit()).isEqualTo(2);
      assertThat(wrong.err())
          .endsWith(": refused the token (expected: one of its own in --admin-token-env)\n");
      for (String token : List.of("open-sesame", viewer)) {
        CommandRun right = CommandRun.in(Map.of("TOKEN", token), false, words);
        assertThat(right.exit()).as(right.err()).isZero();
        assertThat(right.out()).contains("Weir decides every request", "Actions in force  none");
      }
    }
  }

  @Test
  void serverThatIsNoneIsReportedWithARemedy() throws Exception {
    int free = Ports.free();
    CommandRun nobody = top("http://127.0.0.1:" + free);
    assertThat(nobody.exit()).isEqualTo(2);
    assertThat(nobody.err())
        .isEqualTo(
            "weir: http://127.0.0.1:" + free + ": cannot connect (is a server running there?)\n");
    try (LocalServer server = LocalServer.with(rules)) {
      CommandRun traffic = top(server.traffic());
      assertThat(traffic.exit()).isEqualTo(2);
      assertThat(traffic.err()).startsWith("weir: " + server.traffic() + ": answered 404, ");
    }
  }

  @Test
  void wrongUsageNamesTheFlagAndItsValue() {
    assertThat(usage("--kind", "angry"))
        .startsWith(
            "weir top: --kind: angry (expected: denied, shadow-denied, near-limit or allowed)\n");
    assertThat(usage("--window", "day"))
        .startsWith("weir top: --window: day (expected: minute or hour)\n");
    assertThat(usage("--scope", "world"))
        .startsWith("weir top: --scope: world (expected: fleet or server)\n");
    assertThat(usage("--server", "nowhere"))
        .startsWith("weir top: --server: nowhere (expected: an address such as ");
    assertThat(usage("--admin-token-env", "NONE"))
        .startsWith("weir top: --admin-token-env: NONE (expected: a variable that is set");
    assertThat(usage("more")).startsWith("weir top: ");
  }

  private static String usage(Object... words) {
    List<Object> all = new ArrayList<>(List.of("top"));
    all.addAll(List.of(words));
    CommandRun run = CommandRun.weir(all.toArray()).assertHarmless();
    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    return run.err();
  }
}
