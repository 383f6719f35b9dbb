package dev.weir.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Descriptor;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The conditions of {@code match}. */
class MatchFormsTest {
  private static final FakeRequest GET = FakeRequest.get("/");

  @Test
  void matchesMethodInAnyCase() throws Exception {
    assertThat(matches("{method: post}", FakeRequest.post("/"))).isTrue();
    assertThat(matches("{method: POST}", GET)).isFalse();
    assertThat(matches("{method: [PUT, GET]}", GET)).isTrue();
  }

  @Test
  void matchesHostExactAndWildcard() throws Exception {
    assertThat(matches("{host: API.Example.com.}", GET.at("api.example.com:8080"))).isTrue();
    assertThat(matches("{host: \"*.example.com\"}", GET.at("eu.api.example.com"))).isTrue();
    assertThat(matches("{host: \"*.example.com\"}", GET.at("example.com"))).isFalse();
    assertThat(matches("{host: [\"*.example.com\", example.com]}", GET.at("example.com"))).isTrue();
  }

  @Test
  void matchesPathExactTemplateGlobAndPrefix() throws Exception {
    assertThat(matches("{path: /login}", FakeRequest.get("//x/../login?a=b"))).isTrue();
    assertThat(matches("{path: /login}", FakeRequest.get("/login/x"))).isFalse();
    assertThat(matches("{path: \"/users/{id}\"}", FakeRequest.get("/users/7"))).isTrue();
    assertThat(matches("{path: \"/users/{id}\"}", FakeRequest.get("/users/7/posts"))).isFalse();
    assertThat(matches("{path: \"/img/*.png\"}", FakeRequest.get("/img/a.png"))).isTrue();
    assertThat(matches("{path: \"/img/*.png\"}", FakeRequest.get("/img/b/a.png"))).isFalse();
    assertThat(matches("{path: /api/**}", FakeRequest.get("/api"))).isTrue();
    assertThat(matches("{path: /api/**}", FakeRequest.get("/api/a/b"))).isTrue();
    assertThat(matches("{path: /api/**}", FakeRequest.get("/apis"))).isFalse();
    assertThat(matches("{path: \"/**/secret\"}", FakeRequest.get("/a/b/secret"))).isTrue();
    assertThat(matches("{path: [/a, /b]}", FakeRequest.get("/b"))).isTrue();
  }

  @Test
  void matchesCookieInAnyEncoding() throws Exception {
    for (String written : new String[] {"a b", "a%20b", "a+b"}) {
      String match = "{cookie: {c: \"" + written + "\"}}";
      for (String sent : new String[] {"a+b", "%61%20b", "\"a b\""}) {
        assertThat(matches(match, GET.with("Cookie", "c=" + sent))).isTrue();
      }
      assertThat(matches(match, GET.with("Cookie", "c=a%2520b"))).isFalse();
    }
    assertThat(matches("{cookie: {c: \"a*\"}}", GET.with("Cookie", "c=%61b"))).isTrue();
    assertThat(matches("{cookie: {c: \"100%\"}}", GET.with("Cookie", "c=100%25"))).isTrue();
  }

  @Test
  void matchesPathInAnyCaseIfConfigured() throws Exception {
    String rule = "rules: [{name: a, match: {path: /LogIn}, limit: 1/s}]\n";
    FakeRequest request = FakeRequest.get("/LOGIN");
    assertThat(TestRules.snapshot(rule).match(request, 0).claims()).isEmpty();
    assertThat(TestRules.snapshot("path-case: insensitive\n" + rule).match(request, 0).claims())
        .hasSize(1);
  }

  /** The same function folds the case of rules and of requests. */
  @Test
  void matchesPathInAnyCaseForEveryAlphabet() throws Exception {
    for (String path :
        new String[] {"/İstanbul", "/STRAẞE", "/\u212Aelvin", "/ΣΑΣ", "/a%3Bb", "/𐐀"}) {
      String rule = "path-case: insensitive\nrules: [{name: a, match: {path: " + path;
      RulesSnapshot rules = TestRules.snapshot(rule + "}, limit: 1/s}]\n");
      for (String sent :
          new String[] {path, path.toUpperCase(Locale.ROOT), path.toLowerCase(Locale.ROOT)}) {
        if (sent.equalsIgnoreCase(path)) {
          assertThat(rules.match(FakeRequest.get(sent), 0).claims()).as(sent).hasSize(1);
        }
      }
      assertThat(rules.rules().warnings()).isEmpty();
    }
  }

  @Test
  void matchesHostInBrackets() throws Exception {
    assertThat(matches("{host: \"[2001:DB8:0::1]\"}", GET.at("[2001:db8::1]:443"))).isTrue();
    assertThat(matches("{host: \"[::ffff:192.0.2.1]\"}", GET.at("192.0.2.1"))).isTrue();
  }

  /** Servers differ in how they interpret a semicolon. */
  @Test
  void matchesPathWithAndWithoutItsParameters() throws Exception {
    for (String target : new String[] {"/login;x=1", "/a/..;/login", "/login;"}) {
      assertThat(matches("{path: /login}", FakeRequest.get(target))).as(target).isTrue();
    }
    assertThat(matches("{path: /api/**}", FakeRequest.get("/api/x/..;/..;/y"))).isTrue();
    assertThat(matches("{path: \"/users/{id}\"}", FakeRequest.get("/users/..;"))).isTrue();
  }

  @Test
  void matchesHeaderAndCookie() throws Exception {
    assertThat(matches("{header: {X-Plan: [pro, gold]}}", GET.with("x-plan", "gold"))).isTrue();
    assertThat(matches("{header: {X-Plan: pro}}", GET.with("x-plan", "Pro"))).isFalse();
    assertThat(matches("{header: {X-Plan: \"*\"}}", GET.with("x-plan", "any"))).isTrue();
    assertThat(matches("{header: {X-Plan: \"*\"}}", GET)).isFalse();
    assertThat(matches("{header: {User-Agent: \"*bot*\"}}", GET.with("user-agent", "a bot 1")))
        .isTrue();
    assertThat(matches("{cookie: {beta: 1}}", GET.with("cookie", "a=b; beta=1"))).isTrue();
    assertThat(matches("{cookie: {beta: 1}}", GET.with("cookie", "a=b; beta=2"))).isFalse();
  }

  @Test
  void matchesAddressAndNetwork() throws Exception {
    assertThat(matches("{ip: 203.0.113.0/24}", GET)).isTrue();
    assertThat(matches("{ip: [10.0.0.0/8, \"2001:db8::1\"]}", GET.from("2001:db8::1"))).isTrue();
    assertThat(matches("{ip: \"2001:db8::1\"}", GET.from("2001:db8::2")))
        .as("the whole address, though counters are by prefix")
        .isFalse();
  }

  @Test
  void matchesIdentityByItsName() throws Exception {
    String identities = "identity: {tenant: header X-Tenant, addr: ip, where: host, what: path}\n";
    String rule = identities + "rules: [{name: a, match: %s, limit: 1/s}]\n";
    FakeRequest request = FakeRequest.get("/a/b").with("X-Tenant", "acme");
    for (String match :
        new String[] {
          "{tenant: acme}", "{addr: 203.0.113.0/24}", "{where: EXAMPLE.com}", "{what: /a/**}"
        }) {
      assertThat(TestRules.snapshot(String.format(rule, match)).match(request, 0).claims())
          .as(match)
          .hasSize(1);
    }
    assertThat(TestRules.snapshot(String.format(rule, "{tenant: b}")).match(request, 0).claims())
        .isEmpty();
  }

  @Test
  void matchesEntriesOfDescriptorsWithoutHttp() throws Exception {
    var book =
        TestRules.load(
                "rules: [{name: a, match: {entry: {queue: mail}}, per: entry tenant, limit: 1/s}]")
            .book();
    assertThat(book.match(Descriptor.of(Map.of("entry queue", "mail"))).claims()).hasSize(1);
    assertThat(book.match(Descriptor.of(Map.of("entry queue", "sms"))).claims()).isEmpty();
    var ofDomain =
        TestRules.snapshot("rules: [{name: a, match: {domain: shop}, limit: 1/s}]").rules().book();
    assertThat(ofDomain.match(Descriptor.of(Map.of("domain", "shop"))).claims()).hasSize(1);
    assertThat(
            TestRules.snapshot("rules: [{name: a, match: {entry: {q: m}}, limit: 1/s}]")
                .match(GET, 0)
                .claims())
        .isEmpty();
  }

  @Test
  void allConditionsMustHold() throws Exception {
    String both = "{method: POST, path: /a}";
    assertThat(matches(both, FakeRequest.post("/a"))).isTrue();
    assertThat(matches(both, FakeRequest.get("/a"))).isFalse();
    assertThat(matches(both, FakeRequest.post("/b"))).isFalse();
  }

  private static boolean matches(String match, FakeRequest request) throws RulesRejected {
    String yaml = "rules: [{name: a, match: " + match + ", limit: 1/s}]\n";
    return !TestRules.snapshot(yaml).match(request, 0).claims().isEmpty();
  }
}
