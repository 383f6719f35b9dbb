package dev.weir.cli.explain;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.util.JSONObjectUtils;
import dev.weir.cli.CommandRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Explanations of requests by rules files. */
class ExplainCommandTest {
  @TempDir private Path directory = Path.of("");

  private Path rules(String text) throws IOException {
    return Files.writeString(directory.resolve("rules.yaml"), text);
  }

  private static CommandRun explain(Object rules, Object... more) {
    Object[] args = new Object[more.length + 2];
    args[0] = "explain";
    args[1] = rules;
    System.arraycopy(more, 0, args, 2, more.length);
    return CommandRun.weir(args).assertHarmless();
  }

  @ParameterizedTest
  @CsvSource({
    "login, POST /login, X-API-Key: k",
    "ride, POST /api//rides/%72equest/?from=a, X-User-Id: 1234567890",
    "export, GET /api/exports/2024, X-Tenant: acme",
  })
  void explanationOfTheSampleMatchesTheGoldenFile(String golden, String request, String header)
      throws IOException {
    CommandRun run = explain(CommandRun.SAMPLE, "--request", request, "--header", header);
    assertThat(run.exit()).isEqualTo(0);
    assertThat(run.err()).isEmpty();
    Path file = Path.of("src/test/resources/golden", golden + ".txt");
    assertThat(run.out()).isEqualTo(Files.readString(file));
  }

  @Test
  void jsonHasTheSameContent() throws Exception {
    String plan = "X-Plan: pro";
    CommandRun run =
        explain(CommandRun.SAMPLE, "--request", "POST /login", "--header", plan, "--json");
    Map<String, Object> json = JSONObjectUtils.parse(run.out());
    assertThat(run.out()).matches("(?s)[\n -~]*");
    assertThat(CommandRun.valueAt(json, "request", "path")).isEqualTo("/login");
    assertThat(CommandRun.valueAt(json, "rules", 7, "name")).isEqualTo("exports");
    assertThat(CommandRun.valueAt(json, "rules", 7, "applies")).isEqualTo("false");
    assertThat(CommandRun.valueAt(json, "rules", 7, "reasons", 0))
        .startsWith("path: /login (expected: ");
    assertThat(CommandRun.valueAt(json, "rules", 3, "caller", 1, "value")).isEqualTo("/login");
    assertThat(CommandRun.valueAt(json, "rules", 3, "whenStoreFails")).isEqualTo("deny");
    assertThat(CommandRun.valueAt(json, "rules", 3, "mode")).isEqualTo("strict");
    assertThat(CommandRun.valueAt(json, "rules", 3, "share")).isEqualTo("null");
    assertThat(CommandRun.valueAt(json, "rules", 1, "grant", "why"))
        .isEqualTo("pro, from header x-plan");
    assertThat(CommandRun.valueAt(json, "claims", 1, "limit"))
        .isEqualTo("1000/minute, burst 1000, token-bucket");
    assertThat(CommandRun.valueAt(json, "claims", 3, "key")).matches("[0-9a-f]{32}");
    assertThat(json.get("keySecret")).isEqualTo("zeros");
    assertThat(json).containsEntry("blockedBy", null).containsEntry("shadows", List.of());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "192.0.2.9 | 192.0.2.9: the peer, which is not a trusted proxy, so its X-Forwarded-For is not believed",
        "127.0.0.1 | 203.0.113.7: the last in X-Forwarded-For that is not a trusted proxy; the peer is one",
        "::ffff:7f00:1 | 203.0.113.7: the last in X-Forwarded-For that is not a trusted proxy; the peer is one",
        "2001:db8::1 | 2001:db8::1, counted as 2001:db8::/64: the peer, which is not a trusted proxy, so its X-Forwarded-For is not believed",
      })
  void clientAddressIsExplained(String peer, String expected) {
    String forwarded = "X-Forwarded-For: 198.51.100.1, 203.0.113.7";
    CommandRun run =
        explain(CommandRun.SAMPLE, "--request", "GET /", "--peer", peer, "--header", forwarded);
    assertThat(run.out()).contains("  client  " + expected + "\n");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "unknown      | 127.0.0.1: the peer, a trusted proxy, whose X-Forwarded-For cannot be used",
        "127.0.0.1    | 127.0.0.1: the first in X-Forwarded-For, since all of it are trusted proxies",
      })
  void unusableForwardedHeaderIsExplained(String forwarded, String expected) {
    String header = "X-Forwarded-For: " + forwarded;
    CommandRun run = explain(CommandRun.SAMPLE, "--request", "GET /", "--header", header);
    assertThat(run.out()).contains("  client  " + expected + "\n");
  }

  @Test
  void irregularRequestsHaveNotes() {
    CommandRun run =
        explain(
            CommandRun.SAMPLE,
            "--request",
            "get /a%2Fb HTTP/1.1",
            "--header",
            "X-API-Key: a",
            "--header",
            "x-api-key: b",
            "--host",
            "EXAMPLE.org:8080");
    assertThat(run.out())
        .startsWith("GET /a/b\n  or      /a%2Fb\n  host    example.org\n")
        .contains("note    a header with conflicting values is unusable")
        .contains("note    the path can be read in several ways; rules for any of them apply")
        .contains("counts       ip 127.0.0.1, as caller");
  }

  @Test
  void overridesAndListsAreExplained() throws IOException {
    Path rules =
        rules(
            """
            identity: {key: header X-Key}
            rules:
              - name: all
                per: key
                limit: 1/second
                overrides: {acme: 100/second}
                allow: [friend]
                block: [foe]
              - name: net
                per: ip
                limit: 1/second
                allow: [10.0.0.0/8]
            """);
    String[] common = {"--request", "GET /", "--peer", "10.1.2.3", "--show-values", "--header"};
    assertThat(explain(rules, with(common, "X-Key: acme")).out())
        .contains("    override     for header x-key acme\n    limit        100/second, burst 100")
        .contains("    allow        for ip exact 10.0.0.0/8\n    result       not limited\n");
    assertThat(explain(rules, with(common, "X-Key: friend")).out())
        .contains("    allow        for header x-key friend\n    result       not limited\n")
        .contains("Claims, all or none, in this order\n  none\n");
    assertThat(explain(rules, with(common, "X-Key: foe")).out())
        .contains("    block        for header x-key foe\n    result       denied\n")
        .contains("Blocked\n  all denies it; the store is not called\n");
    assertThat(explain(rules, with(common, "X-Key: other")).out()).contains("1/second, burst 1,");
  }

  private static Object[] with(String[] args, String last) {
    Object[] all = new Object[args.length + 1];
    System.arraycopy(args, 0, all, 0, args.length);
    all[args.length] = last;
    return all;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "X-Plan: pro  | pro, from header x-plan",
        "X-Plan: gold | free, the default: header x-plan is … (4 characters), which is no tier",
        "X-Other: 1   | free, the default: header x-plan is absent",
      })
  void tiersAreExplained(String header, String expected) {
    CommandRun run = explain(CommandRun.SAMPLE, "--request", "GET /", "--header", header);
    assertThat(run.out()).contains("    tier         " + expected + "\n");
  }

  @Test
  void shadowRolloutCostAndAbsenceAreExplained() throws IOException {
    Path rules =
        rules(
            """
            rules:
              - {name: watch, per: ip, limit: 1/15m, shadow: true, when-store-fails: local}
              - {name: part, per: ip, limit: 5/day in Europe/Berlin, rollout: 12.5%}
              - name: paid
                limit: {limit: 100/second, burst: 500}
                cost: {from: header X-Cost, max: 50}
              - {name: jobs, per: entry job, concurrent: 3, expires: 90s}
              - {name: none, per: header X-No, when-absent: skip, limit: 1/second}
              - {name: env, match: {header: {X-Env: [prod, test-*]}}, limit: 1/second}
            """);
    CommandRun run =
        explain(rules, "--request", "GET /", "--header", "X-Cost: 7", "--entry", "job=export");
    assertThat(run.out())
        .contains("mode         strict\n    store fails  local\n")
        .contains("limit        1/15m, burst 1, token-bucket\n")
        .contains("rollout      shadow: counts, never denies\n    mode         strict\n")
        .containsPattern(
            "limit        5/day in Europe/Berlin, fixed-window \\((enforced|shadow)\\)")
        .contains("rollout      enforced for 12.5% of callers\n")
        .contains("cost         7, from header x-cost … (1 character), at most 50\n")
        .contains("counts       entry job … (6 characters)\n")
        .contains("limit        3 at a time, each for at most 90s\n")
        .contains("  none\n    header X-No: absent (when-absent: skip)\n")
        .contains("  env\n    header x-env: absent (expected: prod or test-*)\n")
        .containsPattern(
            "Shadow claims, each counted separately\n  1\\. [0-9a-f]{32}  cost 1  watch: 1/15m");
    CommandRun bare = explain(rules, "--request", "GET /");
    assertThat(bare.out())
        .contains("cost         1, since header x-cost is absent\n")
        .contains("counts       no entry job, shared by all callers without one\n");
  }

  @Test
  void modesAndSharesAreExplained() throws Exception {
    Path rules =
        rules(
            """
            rules:
              - {name: all, limit: 900/second, mode: leased}
              - {name: busy, limit: 900/minute, mode: automatic, share: 0.5%}
              - {name: here, limit: 900/hour, mode: local, share: 25%}
              - {name: both, limit: 900/day, concurrent: 30, mode: leased}
            """);
    CommandRun run = explain(rules, "--request", "GET /");
    assertThat(run.out())
        .contains("mode         leased, share 5%\n")
        .contains("mode         automatic, share 0.5%\n")
        .contains("limit        225/hour, burst 225, token-bucket\n")
        .contains("mode         local, share 25%\n    store fails  not used\n")
        .contains("leaves it out; counted strictly: a place in flight cannot be leased\n");
    Map<String, Object> json =
        JSONObjectUtils.parse(explain(rules, "--request", "GET /", "--json").out());
    assertThat(CommandRun.valueAt(json, "rules", 0, "mode")).isEqualTo("leased");
    assertThat(CommandRun.valueAt(json, "rules", 0, "share")).isEqualTo("5%");
    assertThat(CommandRun.valueAt(json, "rules", 2, "mode")).isEqualTo("local");
    assertThat(CommandRun.valueAt(json, "rules", 2, "share")).isEqualTo("25%");
    assertThat(CommandRun.valueAt(json, "rules", 1, "whenStoreFails")).isEqualTo("local");
    assertThat(CommandRun.valueAt(json, "rules", 2, "whenStoreFails")).isEqualTo("null");
    assertThat(CommandRun.valueAt(json, "claims", 2, "permits")).isEqualTo("225");
  }

  @Test
  void callersWithoutHttpHaveEntriesOnly() throws IOException {
    Path rules = rules("rules:\n  - {name: t, match: {entry: {tenant: acme}}, limit: 1/second}\n");
    CommandRun run = explain(rules, "--entry", "tenant=acme");
    assertThat(run.out()).startsWith("No HTTP request, only entries\n").contains("  1. ");
    assertThat(explain(rules, "--entry", "tenant=x=y", "--show-values").out())
        .contains("entry tenant: x=y (expected: acme)");
  }

  @Test
  void rejectedTokensHaveNotes() throws IOException {
    Files.writeString(directory.resolve("secret"), "0123456789".repeat(4));
    Path rules =
        rules("jwt: {secret-file: secret}\nrules:\n  - {name: u, per: jwt sub, limit: 1/second}\n");
    assertThat(explain(rules, "--request", "GET /").out())
        .contains("note    token: missing; jwt values are absent");
    String unsigned = "Authorization: Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJtZSJ9.";
    assertThat(explain(rules, "--request", "GET /", "--header", unsigned).out())
        .contains("note    token: unsigned; jwt values are absent")
        .contains("counts       no jwt sub, shared by all callers without one");
  }

  @Test
  void filesForEnvoyHaveNoRuleForARequest() throws IOException {
    Path file =
        rules(
            "{domain: shop, descriptors: [{key: a, rate_limit: {unit: day, requests_per_unit: 1}}]}");
    for (String format : new String[] {"--show-values", "--json"}) {
      CommandRun run = explain(file, "--request", "GET /", format);
      assertThat(run.exit()).isEqualTo(0);
      assertThat(run.err()).isEmpty();
      assertThat(run.out()).contains("GET").doesNotContain("shop");
    }
  }
}
