package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.util.JSONObjectUtils;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What explain says about requests; long because each thing it can say is shown once. */
class ExplainCommandTest {
  @TempDir private Path directory = Path.of("");

  private Path rules(String text) throws IOException {
    return Files.writeString(directory.resolve("rules.yaml"), text);
  }

  private static Ran explain(Object rules, Object... more) {
    Object[] args = new Object[more.length + 2];
    args[0] = "explain";
    args[1] = rules;
    System.arraycopy(more, 0, args, 2, more.length);
    return Ran.weir(args).isHarmless();
  }

  @ParameterizedTest
  @CsvSource({
    "login, POST /login, X-API-Key: k",
    "ride, POST /api//rides/%72equest/?from=a, X-User-Id: 1234567890",
    "export, GET /api/exports/2024, X-Tenant: acme",
  })
  void theSampleIsExplainedAsInTheGoldenFile(String golden, String request, String header)
      throws IOException {
    Ran ran = explain(Ran.SAMPLE, "--request", request, "--header", header);
    assertThat(ran.exit()).isEqualTo(0);
    assertThat(ran.err()).isEmpty();
    Path file = Path.of("src/test/resources/golden", golden + ".txt");
    assertThat(ran.out()).isEqualTo(Files.readString(file));
  }

  @Test
  void jsonHasTheSameToSay() throws Exception {
    String plan = "X-Plan: pro";
    Ran ran = explain(Ran.SAMPLE, "--request", "POST /login", "--header", plan, "--json");
    Map<String, Object> json = JSONObjectUtils.parse(ran.out());
    assertThat(ran.out()).matches("(?s)[\n -~]*");
    assertThat(Ran.at(json, "request", "path")).isEqualTo("/login");
    assertThat(Ran.at(json, "rules", 7, "name")).isEqualTo("exports");
    assertThat(Ran.at(json, "rules", 7, "applies")).isEqualTo("false");
    assertThat(Ran.at(json, "rules", 7, "reasons", 0)).startsWith("path: /login (expected: ");
    assertThat(Ran.at(json, "rules", 3, "caller", 1, "value")).isEqualTo("/login");
    assertThat(Ran.at(json, "rules", 3, "whenStoreFails")).isEqualTo("deny");
    assertThat(Ran.at(json, "rules", 3, "mode")).isEqualTo("strict");
    assertThat(Ran.at(json, "rules", 3, "share")).isEqualTo("null");
    assertThat(Ran.at(json, "rules", 1, "grant", "why")).isEqualTo("pro, from header x-plan");
    assertThat(Ran.at(json, "claims", 1, "limit"))
        .isEqualTo("1000/minute, burst 1000, token-bucket");
    assertThat(Ran.at(json, "claims", 3, "key")).matches("[0-9a-f]{32}");
    assertThat(json.get("keySecret")).isEqualTo("zeros");
    assertThat(json).containsEntry("blockedBy", null).containsEntry("shadows", List.of());
  }

  @Test
  void valuesThatMayBeSecretAreHiddenUnlessAskedFor() {
    String key = "sk-0123456789";
    Object[] args = {"--request", "GET /", "--header", "X-API-Key: " + key};
    Ran hidden = explain(Ran.SAMPLE, args);
    assertThat(hidden.out()).doesNotContain(key).contains("header x-api-key sk… (13 characters)");
    assertThat(Ran.weir("explain", Ran.SAMPLE, "--json", args[0], args[1], args[2], args[3]).out())
        .doesNotContain(key);
    assertThat(
            Ran.weir("explain", Ran.SAMPLE, "--show-values", args[0], args[1], args[2], args[3])
                .out())
        .contains("header x-api-key " + key + ", as caller");
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
  void saysWhichClientItConcludedAndWhy(String peer, String expected) {
    String forwarded = "X-Forwarded-For: 198.51.100.1, 203.0.113.7";
    Ran ran = explain(Ran.SAMPLE, "--request", "GET /", "--peer", peer, "--header", forwarded);
    assertThat(ran.out()).contains("  client  " + expected + "\n");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "unknown      | 127.0.0.1: the peer, a trusted proxy, whose X-Forwarded-For cannot be used",
        "127.0.0.1    | 127.0.0.1: the first in X-Forwarded-For, since all of it are trusted proxies",
      })
  void saysWhatIsWrongWithAForwardedHeader(String forwarded, String expected) {
    String header = "X-Forwarded-For: " + forwarded;
    Ran ran = explain(Ran.SAMPLE, "--request", "GET /", "--header", header);
    assertThat(ran.out()).contains("  client  " + expected + "\n");
  }

  @Test
  void oddRequestsAreNoted() {
    Ran ran =
        explain(
            Ran.SAMPLE,
            "--request",
            "get /a%2Fb HTTP/1.1",
            "--header",
            "X-API-Key: a",
            "--header",
            "x-api-key: b",
            "--host",
            "EXAMPLE.org:8080");
    assertThat(ran.out())
        .startsWith("GET /a/b\n  or      /a%2Fb\n  host    example.org\n")
        .contains("note    a header with different values is of no use")
        .contains("note    the path can be read in several ways; rules for any of them apply")
        .contains("counts       ip 127.0.0.1, as caller");
  }

  @Test
  void overridesAndListsAreNamed() throws IOException {
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
        .contains("Blocked\n  all denies it; the store is not asked\n");
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
  void tiersSayWhereTheyComeFrom(String header, String expected) {
    Ran ran = explain(Ran.SAMPLE, "--request", "GET /", "--header", header);
    assertThat(ran.out()).contains("    tier         " + expected + "\n");
  }

  @Test
  void shadowRolloutCostAndAbsenceAreSaid() throws IOException {
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
    Ran ran =
        explain(rules, "--request", "GET /", "--header", "X-Cost: 7", "--entry", "job=export");
    assertThat(ran.out())
        .contains("mode         strict\n    store fails  local\n")
        .contains("limit        1/15m, burst 1, token-bucket\n")
        .contains("rollout      shadow: counts, denies nobody\n    mode         strict\n")
        .containsPattern(
            "limit        5/day in Europe/Berlin, fixed-window \\((enforced|only watched)\\)")
        .contains("rollout      enforced for 12.5% of callers\n")
        .contains("cost         7, from header x-cost … (1 character), at most 50\n")
        .contains("counts       entry job … (6 characters)\n")
        .contains("limit        3 at a time, each for at most 90s\n")
        .contains("  none\n    header X-No: absent (when-absent: skip)\n")
        .contains("  env\n    header x-env: absent (expected: prod or test-*)\n")
        .containsPattern("Counted only, each by itself\n  1\\. [0-9a-f]{32}  cost 1  watch: 1/15m");
    Ran bare = explain(rules, "--request", "GET /");
    assertThat(bare.out())
        .contains("cost         1, since header x-cost is absent\n")
        .contains("counts       no entry job, as all who have none\n");
  }

  @Test
  void modesAndSharesAreSaid() throws Exception {
    Path rules =
        rules(
            """
            rules:
              - {name: all, limit: 900/second, mode: leased}
              - {name: busy, limit: 900/minute, mode: automatic, share: 0.5%}
              - {name: here, limit: 900/hour, mode: local, share: 25%}
              - {name: both, limit: 900/day, concurrent: 30, mode: leased}
            """);
    Ran ran = explain(rules, "--request", "GET /");
    assertThat(ran.out())
        .contains("mode         leased, share 5%\n")
        .contains("mode         automatic, share 0.5%\n")
        .contains("limit        225/hour, burst 225, token-bucket\n")
        .contains("mode         local, share 25%\n    store fails  not asked\n")
        .contains("leaves it out; counted strictly: a place in flight cannot be leased\n");
    Map<String, Object> json =
        JSONObjectUtils.parse(explain(rules, "--request", "GET /", "--json").out());
    assertThat(Ran.at(json, "rules", 0, "mode")).isEqualTo("leased");
    assertThat(Ran.at(json, "rules", 0, "share")).isEqualTo("5%");
    assertThat(Ran.at(json, "rules", 2, "mode")).isEqualTo("local");
    assertThat(Ran.at(json, "rules", 2, "share")).isEqualTo("25%");
    assertThat(Ran.at(json, "rules", 1, "whenStoreFails")).isEqualTo("local");
    assertThat(Ran.at(json, "rules", 2, "whenStoreFails")).isEqualTo("null");
    assertThat(Ran.at(json, "claims", 2, "permits")).isEqualTo("225");
  }

  @Test
  void callersThatAreNotHttpHaveEntriesOnly() throws IOException {
    Path rules = rules("rules:\n  - {name: t, match: {entry: {tenant: acme}}, limit: 1/second}\n");
    Ran ran = explain(rules, "--entry", "tenant=acme");
    assertThat(ran.out()).startsWith("No HTTP request, only entries\n").contains("  1. ");
    assertThat(explain(rules, "--entry", "tenant=x=y", "--show-values").out())
        .contains("entry tenant: x=y (expected: acme)");
  }

  @Test
  void keysFollowTheSecret() throws IOException {
    Path raw = Files.write(directory.resolve("raw"), new byte[16]);
    Path hex = Files.writeString(directory.resolve("hex"), "00".repeat(15) + "0F\n");
    Path bad = Files.writeString(directory.resolve("bad"), "hunter2");
    Object[] request = {"--request", "GET /", "--key-secret-file"};
    String zeros = explain(Ran.SAMPLE, "--request", "GET /").out();
    assertThat(zeros).contains("Keys depend on a secret.");
    String same = explain(Ran.SAMPLE, request[0], request[1], request[2], raw).out();
    assertThat(zeros).startsWith(same);
    String other = explain(Ran.SAMPLE, request[0], request[1], request[2], hex).out();
    assertThat(other).isNotEqualTo(same).hasSameSizeAs(same);
    Ran refused = explain(Ran.SAMPLE, request[0], request[1], request[2], bad);
    assertThat(refused.exit()).isEqualTo(2);
    assertThat(refused.err())
        .isEqualTo(
            "weir: --key-secret-file: "
                + bad
                + ": no key secret (expected: 16 bytes, or 32 hexadecimal digits)\n");
    assertThat(explain(Ran.SAMPLE, request[0], request[1], request[2], "/missing").exit())
        .isEqualTo(2);
  }

  @Test
  void tokensThatAreNotBelievedAreNoted() throws IOException {
    Files.writeString(directory.resolve("secret"), "0123456789".repeat(4));
    Path rules =
        rules("jwt: {secret-file: secret}\nrules:\n  - {name: u, per: jwt sub, limit: 1/second}\n");
    assertThat(explain(rules, "--request", "GET /").out())
        .contains("note    token: missing; jwt values are absent");
    String unsigned = "Authorization: Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJtZSJ9.";
    assertThat(explain(rules, "--request", "GET /", "--header", unsigned).out())
        .contains("note    token: unsigned; jwt values are absent")
        .contains("counts       no jwt sub, as all who have none");
  }

  @Test
  void refusedRulesAreNotExplained() throws IOException {
    Path rules = rules("rules:\n  - {name: all, limit: -1/second}\n");
    Ran ran = explain(rules, "--request", "GET /");
    assertThat(ran.exit()).isEqualTo(1);
    assertThat(ran.out()).isEmpty();
    assertThat(ran.err()).startsWith(rules + ":2:24: limit: ");
    assertThat(explain(directory.resolve("missing"), "--request", "GET /").err())
        .endsWith(": no such file or directory\n");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "/login", "POST", "POST login", "POST /a b c", "PO(ST /login", "\u001b[2J /"})
  void aRequestOfAnotherFormIsRefusedWithTheExpectedOne(String request) {
    Ran ran = explain(Ran.SAMPLE, "--request", request);
    assertThat(ran.exit()).isEqualTo(2);
    assertThat(ran.err())
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
  void otherWrongOptionsSayWhatWasExpected(String option, String value, String expected) {
    Ran ran = explain(Ran.SAMPLE, "--request", "GET /", option, value);
    assertThat(ran.exit()).isEqualTo(2);
    assertThat(ran.err())
        .startsWith("weir explain: " + option + ": " + value + " (expected: " + expected + ")\n");
  }

  @Test
  void filesForEnvoyHaveNoRuleForARequest() throws IOException {
    Path file =
        rules(
            "{domain: shop, descriptors: [{key: a, rate_limit: {unit: day, requests_per_unit: 1}}]}");
    for (String format : new String[] {"--show-values", "--json"}) {
      Ran ran = explain(file, "--request", "GET /", format);
      assertThat(ran.exit()).isEqualTo(0);
      assertThat(ran.err()).isEmpty();
      assertThat(ran.out()).contains("GET").doesNotContain("shop");
    }
  }

  @Test
  void whatIsInARequestNeverReachesTheTerminalRaw() {
    String[] odd = {"\u001b[2J", "a\u202eb", "\u009b31m", "\ud800", "a\u2028b"};
    for (String one : odd) {
      explain(
          Ran.SAMPLE, "--show-values", "--request", "GET /" + one, "--header", "X-Plan: " + one);
      explain(
          Ran.SAMPLE,
          "--show-values",
          "--request",
          "GET /",
          "--host",
          one,
          "--entry",
          one + "=" + one);
      explain(one, "--request", "GET /");
    }
    assertThat(explain(Ran.SAMPLE, "--request", "GET /", "--header", "X: \u001b[2J").err())
        .contains("--header: X: \\u001b[2J (expected: a value without control characters)");
  }
}
