package dev.weir.rule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Claim;
import dev.weir.Descriptor;
import dev.weir.Limit;
import dev.weir.LimitKey;
import dev.weir.Mode;
import dev.weir.key.KeySpace;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What rules make of requests; long because each thing a rule can say is tried by itself. */
class RuleBookTest {
  private static final Limit TEN = Limit.tokenBucket(10, Duration.ofSeconds(1));
  private static final Limit HUNDRED = Limit.tokenBucket(100, Duration.ofSeconds(1));
  private static final Identity USER = Identity.of("header x-user");
  private static final Identity IP = Identity.of("ip");
  private static final Identity CALLER = Identity.first("caller", List.of(USER, IP));

  private final KeySpace keys = KeySpace.withSecret(new byte[16]);

  private Match match(Rule.Builder rule, Map<String, String> request) {
    return book(rule).match(Descriptor.of(request));
  }

  private RuleBook book(Rule.Builder... rules) {
    return RuleBook.of(List.of(rules).stream().map(Rule.Builder::build).toList(), keys);
  }

  private LimitKey key(Rule.Builder rule, Map<String, String> request) {
    return match(rule, request).claims().get(0).key();
  }

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
    assertThat(match.rules())
        .extracting(Rule::name)
        .containsExactly("all", "mine", "mine", "posts");
    assertThat(match.claims()).extracting(Claim::key).doesNotHaveDuplicates();
    assertThat(match.blockedBy()).isEmpty();
  }

  @Test
  void whoIsKnownInAnotherWayIsSomebodyElse() {
    Rule.Builder rule = Rule.named("rule").per(CALLER).limit(TEN);
    LimitKey byUser = key(rule, Map.of("header x-user", "7"));
    assertThat(key(rule, Map.of("header x-user", "7", "ip", "1.1.1.1"))).isEqualTo(byUser);
    assertThat(key(rule, Map.of("ip", "7"))).isNotEqualTo(byUser);
  }

  @Test
  void differentIdentitiesNeverShareAKeyWhateverTheyContain() {
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
  void countersOfOneCallerBelongTogether() {
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
  void whatIsAbsentIsCountedTogetherOrNotAtAll() {
    Rule.Builder share = Rule.named("rule").per(USER).limit(TEN);
    assertThat(key(share, Map.of("ip", "1.1.1.1"))).isEqualTo(key(share, Map.of("ip", "2.2.2.2")));
    Rule.Builder skip = Rule.named("rule").per(USER).whenAbsent(Rule.WhenAbsent.SKIP).limit(TEN);
    assertThat(match(skip, Map.of("ip", "1.1.1.1")).claims()).isEmpty();
    assertThat(match(skip, Map.of("header x-user", "u")).claims()).hasSize(1);
  }

  @Test
  void theFirstExceptionThatFitsCounts() {
    Rule.Builder rule =
        Rule.named("rule")
            .per(CALLER)
            .limit(TEN)
            .special(
                Special.of(Condition.oneOf("header x-user", "evil"), Allowance.BLOCKED),
                Special.of(Condition.oneOf("header x-user", "evil", "staff"), Allowance.UNLIMITED),
                Special.of(Condition.like("ip exact", "10.*"), Allowance.of(HUNDRED)),
                Special.of(Condition.oneOf("header x-user", "acme"), Allowance.of(HUNDRED)));
    assertThat(match(rule, Map.of("header x-user", "evil")).blockedBy()).isPresent();
    assertThat(match(rule, Map.of("header x-user", "staff")).claims()).isEmpty();
    assertThat(match(rule, Map.of("header x-user", "staff")).blockedBy()).isEmpty();
    assertThat(limit(rule, Map.of("header x-user", "acme"))).isEqualTo(HUNDRED);
    assertThat(limit(rule, Map.of("header x-user", "other"))).isEqualTo(TEN);
    assertThat(limit(rule, Map.of("ip", "10.0.0.0/24", "ip exact", "10.0.0.1"))).isEqualTo(HUNDRED);
    // Known by its name, so what is said about addresses is not about this one.
    assertThat(limit(rule, Map.of("header x-user", "u", "ip", "10.0.0.1", "ip exact", "10.0.0.1")))
        .isEqualTo(TEN);
  }

  @Test
  void anExceptionMayBeAboutPartsOfAnIdentity() {
    Rule.Builder rule =
        Rule.named("rule")
            .per(Identity.of("entry tenant"), USER)
            .limit(TEN)
            .special(
                new Special(
                    Map.of(
                        0, Condition.oneOf("entry tenant", "acme"),
                        1, Condition.oneOf("header x-user", "bob")),
                    Allowance.UNLIMITED),
                new Special(
                    Map.of(0, Condition.oneOf("entry tenant", "acme")), Allowance.of(HUNDRED)));
    assertThat(match(rule, Map.of("entry tenant", "acme", "header x-user", "bob")).claims())
        .isEmpty();
    assertThat(limit(rule, Map.of("entry tenant", "acme", "header x-user", "ann")))
        .isEqualTo(HUNDRED);
    assertThat(limit(rule, Map.of("entry tenant", "bolt", "header x-user", "bob"))).isEqualTo(TEN);
  }

  private Limit limit(Rule.Builder rule, Map<String, String> request) {
    return match(rule, request).claims().get(0).limit();
  }

  @Test
  void aTierComesFromTheRequestOrIsTheFallback() {
    Map<String, Allowance> plans = Map.of("free", Allowance.of(TEN), "pro", Allowance.of(HUNDRED));
    Rule.Builder told =
        Rule.named("told").per(USER).tiers(new Tiers("header x-plan", plans, "free"));
    assertThat(limit(told, Map.of("header x-user", "u", "header x-plan", "pro")))
        .isEqualTo(HUNDRED);
    assertThat(limit(told, Map.of("header x-user", "u", "header x-plan", "gold"))).isEqualTo(TEN);
    assertThat(limit(told, Map.of("header x-user", "u"))).isEqualTo(TEN);
    // The same counter in every tier: who changes tier takes along what was spent.
    assertThat(key(told, Map.of("header x-user", "u", "header x-plan", "pro")))
        .isEqualTo(key(told, Map.of("header x-user", "u")));
    assertThatThrownBy(() -> new Tiers(null, plans, "gold"))
        .hasMessageStartingWith("default-tier: gold (expected: one of ");
  }

  @Test
  void aCostIsBoundedAndNonsenseIsNeverCheaper() {
    Rule.Builder rule = Rule.named("rule").limit(TEN).cost(new Cost("header x-cost", 2, 50));
    assertThat(cost(rule, null)).isEqualTo(2);
    assertThat(cost(rule, "7")).isEqualTo(7);
    for (String told :
        new String[] {"51", "0", "-1", "", "1.5", "1e3", " 7", "99999999999999999999", "٣"}) {
      assertThat(cost(rule, told)).as(told).isEqualTo(50);
    }
  }

  private long cost(Rule.Builder rule, @org.jspecify.annotations.Nullable String told) {
    Map<String, String> request = told == null ? Map.of() : Map.of("header x-cost", told);
    return match(rule, request).claims().get(0).cost();
  }

  @Test
  void aRolloutEnforcesForItsShareOfCallersAndWatchesTheOthers() {
    Rule.Builder rule = Rule.named("rule").per(USER).limit(TEN).enforced(2_500);
    int enforced = 0;
    for (int i = 0; i < 10_000; i++) {
      Match match = match(rule, Map.of("header x-user", "user-" + i));
      assertThat(match.claims().size() + match.shadows().size()).isEqualTo(1);
      enforced += match.claims().size();
    }
    assertThat(enforced).isBetween(2_300, 2_700);
    // One caller, one side: several limits of a rule are enforced together or not at all.
    Rule.Builder both = Rule.named("both").per(USER).limit(TEN, HUNDRED).enforced(5_000);
    for (int i = 0; i < 1_000; i++) {
      assertThat(match(both, Map.of("header x-user", "user-" + i)).claims().size()).isIn(0, 2);
    }
    assertThat(match(Rule.named("shadow").limit(TEN).enforced(0), Map.of()).shadows()).hasSize(1);
  }

  @Test
  void limitsOnWhatIsInFlightNeedAPermit() {
    RuleBook book = book(Rule.named("rule").limit(Limit.concurrent(5, Duration.ofMinutes(1)), TEN));
    Descriptor request = Descriptor.of(Map.of());
    assertThat(book.match(request).claims()).extracting(Claim::limit).containsExactly(TEN);
    List<Claim> held = book.match(request, 77).claims();
    assertThat(held).extracting(Claim::permit).containsExactly(0L, 77L);
    // Left out or not, the other limit keeps its counter.
    assertThat(held.get(0).key()).isEqualTo(book.match(request).claims().get(0).key());
  }

  @Test
  void aServerThatKeepsToAShareNamesItsCountersAsTheRuleIsWritten() {
    Limit five = Limit.tokenBucket(5, Duration.ofSeconds(1));
    Rule.Builder whole = Rule.named("rule").limit(five, Limit.fixedWindow(50, Duration.ofHours(1)));
    Match strict = match(whole, Map.of());
    Match tenth = match(whole.mode(new Mode(Mode.Kind.LOCAL, 1_000)), Map.of());
    assertThat(tenth.claims())
        .extracting(Claim::limit)
        .containsExactly(
            Limit.tokenBucket(1, Duration.ofSeconds(2), 1),
            Limit.fixedWindow(5, Duration.ofHours(1)));
    assertThat(tenth.policies()).extracting(Policy::name).containsExactly("rule-1s", "rule-3600s");
    assertThat(tenth.claims())
        .extracting(Claim::key)
        .isEqualTo(strict.claims().stream().map(Claim::key).toList());
  }

  @Test
  void whatCannotBeLeasedIsCountedStrictlyBesideWhatCan() {
    Limit queue = Limit.leakyBucket(100, Duration.ofMinutes(1), 100);
    Match match = match(Rule.named("rule").limit(HUNDRED, queue).mode(Mode.leased()), Map.of());
    assertThat(match.claims()).extracting(Claim::mode).containsExactly(Mode.leased(), Mode.STRICT);
  }

  @Test
  void anAmbiguousPathMeetsTheRulesOfAllItsReadings() {
    RuleBook book =
        book(
            Rule.named("admin").match(Condition.path("/admin/**")).limit(TEN),
            Rule.named("user").match(Condition.path("/{name}")).limit(TEN),
            Rule.named("deep").match(Condition.path("/*/*/*")).limit(TEN),
            Rule.named("other").match(Condition.path("/other")).limit(TEN));
    String others = PathReadings.join(List.of("/admin%2Fx", "/a/b/c"));
    Match match = book.match(Descriptor.of(Map.of("path", "/admin/x", PathReadings.NAME, others)));
    assertThat(match.rules()).extracting(Rule::name).containsExactly("admin", "user", "deep");
  }

  /** Else a client would have a new counter for every request, by a reading that nobody has. */
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
  void aCallerKnownByAnythingElseIsCountedOnceHoweverItsPathIsRead() {
    Map<String, String> request =
        Map.of("path", "/a", PathReadings.NAME, "/b\n/c", "header x-user", "u");
    Identity userOrPath = Identity.first("who", List.of(USER, Identity.of("path")));
    assertThat(match(Rule.named("r").per(userOrPath).limit(TEN), request).claims()).hasSize(1);
    assertThat(match(Rule.named("r").per(USER).limit(TEN), request).claims()).hasSize(1);
    assertThat(match(Rule.named("r").limit(TEN), request).claims()).hasSize(1);
  }

  /** An exception for one reading must not spare the others. */
  @Test
  void anExceptionForOneReadingIsNoneForTheOthers() {
    Rule.Builder rule =
        Rule.named("r")
            .per(Identity.of("path"))
            .special(Special.of(Condition.path("/healthz"), Allowance.UNLIMITED))
            .special(Special.of(Condition.path("/shut"), Allowance.BLOCKED))
            .limit(TEN);
    assertThat(match(rule, Map.of("path", "/healthz")).claims()).isEmpty();
    assertThat(match(rule, Map.of("path", "/healthz", PathReadings.NAME, "/login")).claims())
        .extracting(Claim::key)
        .containsExactly(key(rule, Map.of("path", "/login")));
    assertThat(match(rule, Map.of("path", "/a", PathReadings.NAME, "/shut")).blockedBy())
        .isPresent();
  }

  @Test
  void aNameIsGivenOnce() {
    assertThatThrownBy(() -> book(Rule.named("a").limit(TEN), Rule.named("a").limit(TEN)))
        .hasMessage("name: a (expected: each name once)");
    assertThatThrownBy(() -> Rule.named("a b"))
        .hasMessage(
            "name: a b (expected: letters, digits, dots, dashes, underscores; at most 100)");
  }

  @Test
  void moreClaimsThanAStoreTakesBlockTheRequestInsteadOfPassingIt() {
    Rule.Builder[] rules = new Rule.Builder[Claim.MAX_CLAIMS + 1];
    for (int i = 0; i < rules.length; i++) {
      rules[i] = Rule.named("rule-" + i).limit(TEN);
    }
    Match match = book(rules).match(Descriptor.of(Map.of()));
    assertThat(match.claims()).hasSize(Claim.MAX_CLAIMS);
    assertThat(match.blockedBy()).map(Rule::name).contains("rule-" + Claim.MAX_CLAIMS);
  }

  @Test
  void anExplanationSaysWhyARuleDoesNotApply() {
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
  void aShadowRuleBlocksNobodyAndARolloutOnlyItsShare() {
    Rule.Builder shadow = Rule.named("r").per(IP).allow(Allowance.BLOCKED).enforced(0);
    assertThat(match(shadow, Map.of("ip", "1.2.3.4")).blockedBy()).isEmpty();
    Rule.Builder half = Rule.named("r").per(IP).allow(Allowance.BLOCKED).enforced(Rule.WHOLE / 2);
    int blocked = 0;
    for (int i = 0; i < 1000; i++) {
      blocked += match(half, Map.of("ip", "1.2.3." + i)).blockedBy().isPresent() ? 1 : 0;
    }
    assertThat(blocked).isBetween(400, 600);
  }

  @Test
  void aPathThatMatchesOnlyInItsOtherReadingIsCountedByThatReading() {
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
  void whatIsThereButOfNoUseGainsNothing() {
    Map<String, String> mess =
        Map.of("header x-user", Descriptor.UNUSABLE, "header x-cost", Descriptor.UNUSABLE);
    Rule.Builder rule =
        Rule.named("rule")
            .match(Condition.oneOf("header x-user", "a"))
            .per(USER)
            .whenAbsent(Rule.WhenAbsent.SKIP)
            .cost(new Cost("header x-cost", 1, 7))
            .special(Special.of(Condition.oneOf("header x-user", "a"), Allowance.UNLIMITED))
            .limit(TEN);
    assertThat(match(rule, mess).claims()).singleElement().extracting(Claim::cost).isEqualTo(7L);
    Rule.Builder byUser = Rule.named("rule").per(USER).limit(TEN);
    assertThat(key(byUser, mess)).isNotEqualTo(key(byUser, Map.of("header x-user", "(unusable)")));
    Rule.Builder byCaller = Rule.named("rule").per(CALLER).limit(TEN);
    assertThat(key(byCaller, Map.of("header x-user", Descriptor.UNUSABLE, "ip", "1.1.1.1")))
        .isEqualTo(key(byCaller, Map.of("ip", "1.1.1.1")));
  }

  @Test
  void countersOfSeveralLimitsAreKnownByTheirWindows() {
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
    assertThat(match(Rule.named("r").limit(TEN, hour, minute, other), request).policies())
        .extracting(Policy::name)
        .containsExactly("r-1s", "r-60s", "r-3600s", "r-3600s-2");
    assertThat(key(Rule.named("r").per(USER).limit(hour), request))
        .isEqualTo(key(Rule.named("r").per(USER).limit(minute), request));
  }

  @Test
  void whatOnlyWatchesBlocksNobodyButSaysSo() {
    Rule.Builder rule =
        Rule.named("r")
            .per(USER)
            .limit(TEN)
            .special(Special.of(Condition.oneOf("header x-user", "evil"), Allowance.BLOCKED));
    Match watched = match(rule.enforced(0), Map.of("header x-user", "evil"));
    assertThat(watched.blockedBy()).isEmpty();
    assertThat(watched.shadowBlocks()).extracting(Rule::name).containsExactly("r");
    assertThat(match(rule.enforced(Rule.WHOLE), Map.of("header x-user", "evil")).blockedBy())
        .isPresent();
  }
}
