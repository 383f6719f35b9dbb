package dev.weir.rule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Answer;
import dev.weir.Claim;
import dev.weir.Descriptor;
import dev.weir.Limit;
import dev.weir.Store;
import dev.weir.StoreFailure;
import dev.weir.guard.Standby;
import dev.weir.key.KeySpace;
import dev.weir.memory.MemoryStore;
import dev.weir.operation.Operation;
import dev.weir.operation.UniformStore;
import dev.weir.rule.Rule.WhenStoreFails;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Each request has one outcome for each rule that applies to it. */
class RuleOutcomesTest {
  private static final Duration LONG = Duration.ofDays(3_000);
  private static final Duration LONGER = Duration.ofDays(3_001);

  private final Map<String, Integer> told = new TreeMap<>();
  private final Limiter.Watcher watcher =
      (rule, outcome) -> told.merge(rule + " " + outcome, 1, Integer::sum);

  /** A store that never answers anything. */
  private static final class Gone extends UniformStore {
    @Override
    protected Answer ask(Operation operation, List<Claim> claims) {
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
    Limiter limiter = new Limiter(store, watcher);
    for (int i = 0; i < times; i++) {
      var unused = limiter.take(match).join();
    }
  }

  private void takeWithoutStore(int times, Match match) {
    Limiter limiter = new Limiter(new Gone(), Standby.alone(new MemoryStore()), watcher);
    for (int i = 0; i < times; i++) {
      var unused = limiter.take(match).join();
    }
  }

  @Test
  void aRequestCountsOnceForARuleWithTwoLimits() {
    take(10, new MemoryStore(), match(twoLimits("two")));
    assertThat(told).isEqualTo(Map.of("two ALLOWED", 3, "two DENIED", 7));
  }

  @Test
  void aRuleThatHadRoomIsNotSaidToHaveAllowedWhatAnotherDenied() {
    Rule.Builder roomy = Rule.named("roomy").limit(Limit.fixedWindow(100, LONG));
    take(10, new MemoryStore(), match(twoLimits("two"), roomy));
    assertThat(told)
        .isEqualTo(
            Map.of(
                "two ALLOWED", 3, "two DENIED", 7, "roomy ALLOWED", 3, "roomy DENIED_BY_OTHER", 7));
  }

  @Test
  void aBlockedRequestIsDeniedByOtherForTheRulesThatWereNotAsked() {
    Rule.Builder block = Rule.named("block").allow(Allowance.BLOCKED);
    take(4, new MemoryStore(), match(twoLimits("two"), block));
    assertThat(told).isEqualTo(Map.of("block BLOCKED", 4, "two DENIED_BY_OTHER", 4));
  }

  @Test
  void aShadowRuleWithTwoLimitsCountsAsIfItWereEnforced() {
    MemoryStore store = new MemoryStore();
    Match match = match(twoLimits("shadow").enforced(0));
    take(10, store, match);
    assertThat(told).isEqualTo(Map.of("shadow ALLOWED", 3, "shadow SHADOW_DENIED", 7));
    // What it would have denied costs nothing under the longer limit either.
    assertThat(store.look(List.of(match.shadows().get(1))).join().remaining()).isEqualTo(97);
  }

  @Test
  void aShadowRuleIsToldOnlyOfRequestsThatPass() {
    take(10, new MemoryStore(), match(twoLimits("two"), twoLimits("shadow").enforced(0)));
    assertThat(told).isEqualTo(Map.of("two ALLOWED", 3, "two DENIED", 7, "shadow ALLOWED", 3));
  }

  @Test
  void withoutTheStoreARequestCountsOnceForEachRule() {
    Match match =
        match(
            twoLimits("local").whenStoreFails(WhenStoreFails.LOCAL),
            twoLimits("allow").whenStoreFails(WhenStoreFails.ALLOW),
            twoLimits("shadow").enforced(0));
    takeWithoutStore(10, match);
    assertThat(told)
        .isEqualTo(
            Map.of(
                "local ALLOWED", 3,
                "local DENIED", 7,
                "allow UNCOUNTED", 3,
                "allow DENIED_BY_OTHER", 7,
                "shadow UNCOUNTED", 3));
  }

  @Test
  void aRuleThatDeniesWithoutTheStoreIsTheOneThatIsUnanswered() {
    Match match =
        match(
            twoLimits("local").whenStoreFails(WhenStoreFails.LOCAL),
            twoLimits("deny").whenStoreFails(WhenStoreFails.DENY),
            twoLimits("allow").whenStoreFails(WhenStoreFails.ALLOW));
    assertThatThrownBy(() -> takeWithoutStore(1, match)).isInstanceOf(StoreFailure.class);
    assertThat(told)
        .isEqualTo(
            Map.of("local DENIED_BY_OTHER", 1, "deny UNANSWERED", 1, "allow DENIED_BY_OTHER", 1));
  }

  @Test
  void aShadowRuleThatTheStoreDoesNotAnswerIsUncounted() {
    ShadowRules.count(match(twoLimits("shadow").enforced(0)), new Gone(), watcher);
    assertThat(told).isEqualTo(Map.of("shadow UNCOUNTED", 1));
  }
}
