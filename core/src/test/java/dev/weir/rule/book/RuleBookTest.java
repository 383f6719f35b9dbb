package dev.weir.rule.book;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Claim;
import dev.weir.Descriptor;
import dev.weir.Limit;
import dev.weir.LimitKey;
import dev.weir.Mode;
import dev.weir.rule.Identity;
import dev.weir.rule.Rule;
import dev.weir.rule.condition.Condition;
import dev.weir.rule.condition.PathReadings;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Which rules match a request, and which counters they charge. */
class RuleBookTest extends RuleBookFixture {
  @Test
  void everyRuleThatMatchesAppliesInTheOrderOfTheRules() {
    RuleBook book =
        book(
            Rule.named("all").limit(TEN),
            Rule.named("other").match(Condition.path("/b")).limit(TEN),
            Rule.named("mine").match(Condition.path("/a")).per(CALLER).limit(TEN, HUNDRED),
            Rule.named("posts").match(Condition.oneOf("method", "POST")).limit(HUNDRED));
    Match match =
        book.match(Descriptor.of(Map.of("path", "/a", "method", "POST", "ip", "1.2.3.4")));
    assertThat(match.charges())
        .extracting(charge -> charge.rule().name())
        .containsExactly("all", "mine", "mine", "posts");
    assertThat(match.claims()).extracting(Claim::key).doesNotHaveDuplicates();
    assertThat(match.blockedBy()).isEmpty();
  }

  @Test
  void callerIdentifiedByAnotherValueIsAnotherCaller() {
    Rule.Builder rule = Rule.named("rule").per(CALLER).limit(TEN);
    LimitKey byUser = key(rule, Map.of("header x-user", "7"));
    assertThat(key(rule, Map.of("header x-user", "7", "ip", "1.1.1.1"))).isEqualTo(byUser);
    assertThat(key(rule, Map.of("ip", "7"))).isNotEqualTo(byUser);
  }

  @Test
  void differentIdentitiesNeverShareAKey() {
    Rule.Builder rule = Rule.named("rule").per(USER, IP).limit(TEN);
    Set<LimitKey> seen = new HashSet<>();
    String[] parts = {"", "a", "b", "ab", "a,b", "}{", "ip", "header x-user", "\0", "a\0"};
    for (String user : parts) {
      assertThat(seen.add(key(rule, Map.of("header x-user", user)))).isTrue();
      assertThat(seen.add(key(rule, Map.of("ip", user)))).isTrue();
      for (String ip : parts) {
        assertThat(seen.add(key(rule, Map.of("header x-user", user, "ip", ip)))).isTrue();
      }
    }
    assertThat(seen.add(key(rule, Map.of()))).isTrue();
  }

  @Test
  void keysOfOneCallerShareTheirUpperHalf() {
    RuleBook book =
        book(
            Rule.named("one").per(CALLER).limit(TEN, HUNDRED),
            Rule.named("two").per(USER).limit(TEN),
            Rule.named("three").per(IP).limit(TEN));
    List<Claim> claims =
        book.match(Descriptor.of(Map.of("header x-user", "u", "ip", "1.1.1.1"))).claims();
    assertThat(claims.stream().limit(3).map(claim -> claim.key().high()).distinct()).hasSize(1);
    assertThat(claims.get(3).key().high()).isNotEqualTo(claims.get(0).key().high());
  }

  @Test
  void requestsWithoutIdentityAreCountedTogetherOrSkipped() {
    Rule.Builder share = Rule.named("rule").per(USER).limit(TEN);
    assertThat(key(share, Map.of("ip", "1.1.1.1"))).isEqualTo(key(share, Map.of("ip", "2.2.2.2")));
    Rule.Builder skip = Rule.named("rule").per(USER).whenAbsent(Rule.WhenAbsent.SKIP).limit(TEN);
    assertThat(match(skip, Map.of("ip", "1.1.1.1")).claims()).isEmpty();
    assertThat(match(skip, Map.of("header x-user", "u")).claims()).hasSize(1);
  }

  @Test
  void concurrencyLimitsNeedAHolder() {
    RuleBook book = book(Rule.named("rule").limit(Limit.concurrent(5, Duration.ofMinutes(1)), TEN));
    Descriptor request = Descriptor.of(Map.of());
    assertThat(book.match(request).claims()).extracting(Claim::limit).containsExactly(TEN);
    List<Claim> held = book.match(request, 77).claims();
    assertThat(held).extracting(Claim::holder).containsExactly(0L, 77L);
    // Left out or not, the other limit keeps its counter.
    assertThat(held.get(0).key()).isEqualTo(book.match(request).claims().get(0).key());
  }

  @Test
  void localShareDoesNotChangeTheNamesOfCounters() {
    Limit five = Limit.tokenBucket(5, Duration.ofSeconds(1));
    Rule.Builder whole = Rule.named("rule").limit(five, Limit.fixedWindow(50, Duration.ofHours(1)));
    Match strict = match(whole, Map.of());
    Match tenth = match(whole.mode(new Mode(Mode.Kind.LOCAL, 1_000)), Map.of());
    assertThat(tenth.claims())
        .extracting(Claim::limit)
        .containsExactly(
            Limit.tokenBucket(1, Duration.ofSeconds(2), 1),
            Limit.fixedWindow(5, Duration.ofHours(1)));
    assertThat(tenth.charges())
        .extracting(charge -> charge.policy().name())
        .containsExactly("rule-1s", "rule-3600s");
    assertThat(tenth.claims())
        .extracting(Claim::key)
        .isEqualTo(strict.claims().stream().map(Claim::key).toList());
  }

  @Test
  void limitThatCannotBeLeasedIsStrictBesideOnesThatCan() {
    Limit queue = Limit.leakyBucket(100, Duration.ofMinutes(1), 100);
    Match match = match(Rule.named("rule").limit(HUNDRED, queue).mode(Mode.leased()), Map.of());
    assertThat(match.claims()).extracting(Claim::mode).containsExactly(Mode.leased(), Mode.STRICT);
  }

  @Test
  void ambiguousPathMatchesTheRulesOfAllItsReadings() {
    RuleBook book =
        book(
            Rule.named("admin").match(Condition.path("/admin/**")).limit(TEN),
            Rule.named("user").match(Condition.path("/{name}")).limit(TEN),
            Rule.named("deep").match(Condition.path("/*/*/*")).limit(TEN),
            Rule.named("other").match(Condition.path("/other")).limit(TEN));
    String others = PathReadings.join(List.of("/admin%2Fx", "/a/b/c"));
    Match match = book.match(Descriptor.of(Map.of("path", "/admin/x", PathReadings.NAME, others)));
    assertThat(match.charges())
        .extracting(charge -> charge.rule().name())
        .containsExactly("admin", "user", "deep");
  }

  /** Otherwise a client would get a new counter for every request, by a made-up reading. */
  @Test
  void aRuleThatCountsByPathCountsByEveryReadingThatItIsAbout() {
    Rule.Builder rule =
        Rule.named("api").match(Condition.path("/api/**")).per(Identity.of("path")).limit(TEN);
    LimitKey login = key(rule, Map.of("path", "/api/login"));
    for (String madeUp : List.of("/api/login/1", "/api/login/2")) {
      String others = PathReadings.join(List.of("/api/login", "/elsewhere", "/api/login%2F1"));
      List<Claim> claims = match(rule, Map.of("path", madeUp, PathReadings.NAME, others)).claims();
      assertThat(claims)
          .extracting(Claim::key)
          .containsExactly(
              key(rule, Map.of("path", madeUp)),
              login,
              key(rule, Map.of("path", "/api/login%2F1")));
    }
    Rule.Builder everywhere = Rule.named("all").per(Identity.of("path")).limit(TEN);
    assertThat(match(everywhere, Map.of("path", "/a", PathReadings.NAME, "/b")).claims())
        .hasSize(2);
  }

  @Test
  void callerNotIdentifiedByThePathIsCountedOnce() {
    Map<String, String> request =
        Map.of("path", "/a", PathReadings.NAME, "/b\n/c", "header x-user", "u");
    Identity userOrPath = Identity.first("who", List.of(USER, Identity.of("path")));
    assertThat(match(Rule.named("r").per(userOrPath).limit(TEN), request).claims()).hasSize(1);
    assertThat(match(Rule.named("r").per(USER).limit(TEN), request).claims()).hasSize(1);
    assertThat(match(Rule.named("r").limit(TEN), request).claims()).hasSize(1);
  }

  @Test
  void duplicateAndMalformedNamesAreRejected() {
    assertThatThrownBy(() -> book(Rule.named("a").limit(TEN), Rule.named("a").limit(TEN)))
        .hasMessage("name: a (expected: each name once)");
    assertThatThrownBy(() -> Rule.named("a b"))
        .hasMessage(
            "name: a b (expected: letters, digits, dots, dashes, underscores; at most 100)");
  }

  @Test
  void requestWithTooManyClaimsIsBlocked() {
    Rule.Builder[] rules = new Rule.Builder[Claim.MAX_CLAIMS + 1];
    for (int i = 0; i < rules.length; i++) {
      rules[i] = Rule.named("rule-" + i).limit(TEN);
    }
    Match match = book(rules).match(Descriptor.of(Map.of()));
    assertThat(match.claims()).hasSize(Claim.MAX_CLAIMS);
    assertThat(match.blockedBy()).map(Rule::name).contains("rule-" + Claim.MAX_CLAIMS);
  }

  @Test
  void explanationNamesTheConditionThatFailed() {
    RuleBook book =
        book(
            Rule.named("login")
                .match(Condition.oneOf("method", "POST"), Condition.path("/login"))
                .limit(TEN));
    Explanation explanation =
        book.explain(Descriptor.of(Map.of("method", "GET", "path", "/login")), 0).get(0);
    assertThat(explanation.applies()).isFalse();
    assertThat(explanation.failed()).hasSize(1);
    assertThat(explanation.failed().get(0).condition().expected()).isEqualTo("POST");
    assertThat(explanation.failed().get(0).value()).isEqualTo("GET");
  }

  @Test
  void pathThatMatchesOnlyInAnotherReadingIsCountedByThatReading() {
    Rule.Builder rule =
        Rule.named("login").match(Condition.path("/login")).per(IP, Identity.of("path")).limit(TEN);
    LimitKey plain = key(rule, Map.of("ip", "1.2.3.4", "path", "/login"));
    for (String madeUp : List.of("/a/login", "/b/login")) {
      Map<String, String> request =
          Map.of("ip", "1.2.3.4", "path", madeUp, PathReadings.NAME, "/login");
      assertThat(key(rule, request)).isEqualTo(plain);
    }
  }

  @Test
  void countersOfSeveralLimitsAreNamedByTheirWindows() {
    Limit minute = Limit.fixedWindow(100, Duration.ofMinutes(1));
    Limit hour = Limit.fixedWindow(1_000, Duration.ofHours(1));
    Limit other = Limit.slidingLog(5, Duration.ofHours(1));
    Map<String, String> request = Map.of("header x-user", "u");
    List<Claim> before = match(Rule.named("r").per(USER).limit(minute, hour), request).claims();
    List<Claim> after =
        match(Rule.named("r").per(USER).limit(TEN, hour, minute, other), request).claims();
    assertThat(after.get(1).key()).isEqualTo(before.get(0).key());
    assertThat(after.get(2).key()).isEqualTo(before.get(1).key());
    assertThat(after).extracting(Claim::key).doesNotHaveDuplicates();
    assertThat(match(Rule.named("r").limit(TEN, hour, minute, other), request).charges())
        .extracting(charge -> charge.policy().name())
        .containsExactly("r-1s", "r-60s", "r-3600s", "r-3600s-2");
    assertThat(key(Rule.named("r").per(USER).limit(hour), request))
        .isEqualTo(key(Rule.named("r").per(USER).limit(minute), request));
  }
}
