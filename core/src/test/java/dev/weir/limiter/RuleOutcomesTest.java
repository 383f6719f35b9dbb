package dev.weir.limiter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Answer;
import dev.weir.Claim;
import dev.weir.Descriptor;
import dev.weir.Limit;
import dev.weir.Operation;
import dev.weir.Store;
import dev.weir.StoreFailure;
import dev.weir.key.KeySpace;
import dev.weir.memory.MemoryStore;
import dev.weir.rule.Allowance;
import dev.weir.rule.FailureMode;
import dev.weir.rule.Rule;
import dev.weir.rule.book.Match;
import dev.weir.rule.book.RuleBook;
import dev.weir.shared.fallback.LocalFallback;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Each request has one outcome for each rule that applies to it. */
class RuleOutcomesTest {
  private static final Duration LONG = Duration.ofDays(3_000);
  private static final Duration LONGER = Duration.ofDays(3_001);

  private final Map<String, Integer> outcomes = new TreeMap<>();
  private final Limiter.Listener listener =
      (rule, outcome, subject) -> outcomes.merge(rule + " " + outcome, 1, Integer::sum);

  /** A store that always fails. */
  private static final class FailingStore implements Store {
    @Override
    public Answer apply(Operation operation, List<Claim> claims) {
      return Answer.failed(new StoreFailure(StoreFailure.Effect.UNKNOWN, "gone", null));
    }
  }

  private static Rule.Builder twoLimits(String name) {
    return Rule.named(name).limit(Limit.fixedWindow(3, LONG), Limit.fixedWindow(100, LONGER));
  }

  private static Match match(Rule.Builder... rules) {
    return RuleBook.of(List.of(rules).stream().map(Rule.Builder::build).toList(), KeySpace.random())
        .match(Descriptor.of(Map.of()));
  }

  private void take(int times, Store store, Match match) {
    Limiter limiter = new Limiter(store, listener);
    for (int i = 0; i < times; i++) {
      var unused = limiter.take(match).join();
    }
  }

  private void takeWithoutStore(int times, Match match) {
    Limiter limiter =
        new Limiter(new FailingStore(), LocalFallback.alone(new MemoryStore()), listener);
    for (int i = 0; i < times; i++) {
      var unused = limiter.take(match).join();
    }
  }

  @Test
  void requestHasOneOutcomeForARuleWithTwoLimits() {
    take(10, new MemoryStore(), match(twoLimits("two")));
    assertThat(outcomes).isEqualTo(Map.of("two ALLOWED", 3, "two DENIED", 7));
  }

  @Test
  void ruleWithRoomIsReportedAsDeniedByOther() {
    Rule.Builder roomy = Rule.named("roomy").limit(Limit.fixedWindow(100, LONG));
    take(10, new MemoryStore(), match(twoLimits("two"), roomy));
    assertThat(outcomes)
        .isEqualTo(
            Map.of(
                "two ALLOWED", 3, "two DENIED", 7, "roomy ALLOWED", 3, "roomy DENIED_BY_OTHER", 7));
  }

  @Test
  void blockedRequestIsDeniedByOtherForTheRemainingRules() {
    Rule.Builder block = Rule.named("block").allow(Allowance.BLOCKED);
    take(4, new MemoryStore(), match(twoLimits("two"), block));
    assertThat(outcomes).isEqualTo(Map.of("block BLOCKED", 4, "two DENIED_BY_OTHER", 4));
  }

  @Test
  void shadowRuleWithTwoLimitsCountsAsIfItWereEnforced() {
    MemoryStore store = new MemoryStore();
    Match match = match(twoLimits("shadow").enforced(0));
    take(10, store, match);
    assertThat(outcomes).isEqualTo(Map.of("shadow ALLOWED", 3, "shadow SHADOW_DENIED", 7));
    // What it would have denied costs nothing under the longer limit either.
    assertThat(store.peek(List.of(match.shadows().get(1).claim())).join().remaining())
        .isEqualTo(97);
  }

  @Test
  void shadowRuleHasOutcomesOnlyForRequestsThatPass() {
    take(10, new MemoryStore(), match(twoLimits("two"), twoLimits("shadow").enforced(0)));
    assertThat(outcomes).isEqualTo(Map.of("two ALLOWED", 3, "two DENIED", 7, "shadow ALLOWED", 3));
  }

  @Test
  void withoutTheStoreARequestHasOneOutcomeForEachRule() {
    Match match =
        match(
            twoLimits("local").failureMode(FailureMode.LOCAL),
            twoLimits("allow").failureMode(FailureMode.ALLOW),
            twoLimits("shadow").enforced(0));
    takeWithoutStore(10, match);
    assertThat(outcomes)
        .isEqualTo(
            Map.of(
                "local ALLOWED", 3,
                "local DENIED", 7,
                "allow UNCOUNTED", 3,
                "allow DENIED_BY_OTHER", 7,
                "shadow UNCOUNTED", 3));
  }

  @Test
  void ruleThatDeniesWithoutTheStoreIsUnanswered() {
    Match match =
        match(
            twoLimits("local").failureMode(FailureMode.LOCAL),
            twoLimits("deny").failureMode(FailureMode.DENY),
            twoLimits("allow").failureMode(FailureMode.ALLOW));
    assertThatThrownBy(() -> takeWithoutStore(1, match)).isInstanceOf(StoreFailure.class);
    assertThat(outcomes)
        .isEqualTo(
            Map.of("local DENIED_BY_OTHER", 1, "deny UNANSWERED", 1, "allow DENIED_BY_OTHER", 1));
  }

  @Test
  void shadowRuleIsUncountedIfTheStoreFails() {
    ShadowRules.count(match(twoLimits("shadow").enforced(0)), new FailingStore(), listener);
    assertThat(outcomes).isEqualTo(Map.of("shadow UNCOUNTED", 1));
  }
}
