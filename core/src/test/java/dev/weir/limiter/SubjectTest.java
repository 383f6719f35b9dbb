package dev.weir.limiter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.weir.Answer;
import dev.weir.Claim;
import dev.weir.Descriptor;
import dev.weir.Limit;
import dev.weir.Store;
import dev.weir.StoreFailure;
import dev.weir.key.KeySpace;
import dev.weir.limiter.Limiter.Outcome;
import dev.weir.memory.MemoryStore;
import dev.weir.rule.Allowance;
import dev.weir.rule.CallerOverride;
import dev.weir.rule.FailureMode;
import dev.weir.rule.Identity;
import dev.weir.rule.Rule;
import dev.weir.rule.book.Match;
import dev.weir.rule.book.RuleBook;
import dev.weir.rule.condition.Condition;
import dev.weir.shared.fallback.LocalFallback;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a listener learns of the caller. */
class SubjectTest {
  private static final Limit FIVE = Limit.fixedWindow(5, Duration.ofDays(3_000));
  private static final Limit TEN = Limit.fixedWindow(10, Duration.ofDays(3_001));

  private final KeySpace keys = KeySpace.random();
  private final List<Seen> seen = new ArrayList<>();
  private final List<Outcome> requests = new ArrayList<>();
  private final Limiter.Listener listener =
      new Limiter.Listener() {
        @Override
        public void onOutcome(Rule rule, Outcome outcome, Subject of) {
          seen.add(
              new Seen(outcome, of.caller(), of.usedPercent(), of.claims().size(), of.identity()));
        }

        @Override
        public void onRequest(Outcome outcome) {
          requests.add(outcome);
        }
      };

  private record Seen(Outcome outcome, long caller, int used, int claims, List<String> identity) {}

  private static Rule.Builder perUser(String name) {
    return Rule.named(name).per(Identity.of("header x-user")).limit(FIVE);
  }

  private Match match(String user, Rule.Builder... rules) {
    List<Rule> built = List.of(rules).stream().map(Rule.Builder::build).toList();
    return RuleBook.of(built, keys).match(Descriptor.of(Map.of("header x-user", user)));
  }

  private long hash(String user) {
    return keys.owner("header x-user", user).hash();
  }

  @Test
  void callerIsTheHashOfItsIdentityAndUseGrowsToAllOfTheLimit() {
    Limiter limiter = new Limiter(new MemoryStore(), listener);
    for (int i = 0; i < 6; i++) {
      var unused = limiter.take(match("ann", perUser("users"))).join();
    }
    List<String> ann = List.of("header x-user", "ann");
    assertThat(seen)
        .containsExactly(
            new Seen(Outcome.ALLOWED, hash("ann"), 20, 1, ann),
            new Seen(Outcome.ALLOWED, hash("ann"), 40, 1, ann),
            new Seen(Outcome.ALLOWED, hash("ann"), 60, 1, ann),
            new Seen(Outcome.ALLOWED, hash("ann"), 80, 1, ann),
            new Seen(Outcome.ALLOWED, hash("ann"), 100, 1, ann),
            new Seen(Outcome.DENIED, hash("ann"), 100, 1, ann));
    assertThat(requests)
        .containsExactly(
            Outcome.ALLOWED,
            Outcome.ALLOWED,
            Outcome.ALLOWED,
            Outcome.ALLOWED,
            Outcome.ALLOWED,
            Outcome.DENIED);
  }

  @Test
  void useIsThatOfTheLimitWithTheLeastLeft() {
    Limiter limiter = new Limiter(new MemoryStore(), listener);
    var unused = limiter.take(match("ann", perUser("users").limit(TEN, FIVE))).join();
    assertThat(seen).extracting(Seen::used, Seen::claims).containsExactly(tuple(20, 2));
  }

  @Test
  void ruleThatCountsEverybodyTogetherHasNoCaller() {
    var unused =
        new Limiter(new MemoryStore(), listener)
            .take(match("ann", Rule.named("all").limit(FIVE)))
            .join();
    assertThat(seen).extracting(Seen::caller).containsExactly(0L);
  }

  @Test
  void blockedCallerIsKnown() {
    Rule.Builder rule =
        perUser("users")
            .override(
                CallerOverride.of(Condition.oneOf("header x-user", "eve"), Allowance.BLOCKED));
    var unused = new Limiter(new MemoryStore(), listener).take(match("eve", rule)).join();
    assertThat(seen)
        .containsExactly(
            new Seen(Outcome.BLOCKED, hash("eve"), 100, 0, List.of("header x-user", "eve")));
    assertThat(requests).containsExactly(Outcome.BLOCKED);
  }

  @Test
  void callerOfAShadowRuleIsKnown() {
    Limiter limiter = new Limiter(new MemoryStore(), listener);
    for (int i = 0; i < 6; i++) {
      var unused = limiter.take(match("ann", perUser("dark").enforced(0))).join();
    }
    assertThat(seen.get(5))
        .isEqualTo(
            new Seen(Outcome.SHADOW_DENIED, hash("ann"), 100, 1, List.of("header x-user", "ann")));
    assertThat(requests).containsOnly(Outcome.ALLOWED).hasSize(6);
  }

  @Test
  void callerIsKnownWithoutTheStore() {
    Store failing =
        (operation, claims) ->
            Answer.failed(new StoreFailure(StoreFailure.Effect.UNKNOWN, "gone", null));
    Limiter limiter = new Limiter(failing, LocalFallback.alone(new MemoryStore()), listener);
    assertThatThrownBy(
            () -> limiter.take(match("ann", perUser("a").failureMode(FailureMode.DENY))).join())
        .isInstanceOf(StoreFailure.class);
    var unused = limiter.take(match("ann", perUser("b").failureMode(FailureMode.ALLOW))).join();
    assertThat(seen)
        .extracting(Seen::outcome, Seen::caller, Seen::used)
        .containsExactly(
            tuple(Outcome.UNANSWERED, hash("ann"), 0), tuple(Outcome.UNCOUNTED, hash("ann"), 0));
    assertThat(requests).containsExactly(Outcome.UNANSWERED, Outcome.UNCOUNTED);
  }

  @Test
  void claimsOfTheSubjectAreThoseOfItsRule() {
    List<Claim> claims = new ArrayList<>();
    Limiter.Listener collecting =
        (rule, outcome, subject) -> {
          if (rule.name().equals("second")) {
            claims.addAll(subject.claims());
          }
        };
    Match match = match("ann", perUser("first"), perUser("second").limit(TEN));
    var unused = new Limiter(new MemoryStore(), collecting).take(match).join();
    assertThat(claims).containsExactly(match.claims().get(1));
  }
}
