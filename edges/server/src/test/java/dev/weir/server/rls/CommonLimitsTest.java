package dev.weir.server.rls;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Decision.Verdict;
import dev.weir.Limit;
import dev.weir.LimitKey;
import dev.weir.memory.MemoryStore;
import dev.weir.testkit.Seeds;
import dev.weir.testkit.time.ManualTicker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Several limits on one counter in one call, compared with a count by hand. */
class CommonLimitsTest {
  private static final Duration DAY = Duration.ofDays(1);
  private static final long RESET_MICROS = DAY.toNanos() / 1_000;

  private static Limit limit(long permits) {
    return Limit.fixedWindow(permits, DAY);
  }

  @Test
  void callWithOneLimitPerCounterIsUnchanged() {
    Claim claim = new Claim(limit(5), new LimitKey(1, 1), 1, 0);
    Claim other = new Claim(limit(9), new LimitKey(1, 2), 1, 0);
    assertThat(CommonLimits.of(List.of(claim))).isNull();
    assertThat(CommonLimits.of(List.of(claim, other, claim.withCost(2)))).isNull();
  }

  @Test
  void eachLimitAppliesOnTopOfEarlierClaims() {
    Seeds.run(
        random -> {
          MemoryStore store = new MemoryStore(100_000, ManualTicker.at(Duration.ofDays(20_000)));
          for (int i = 0; i < 20_000; i++) {
            compare(store, new LimitKey(2, i), random);
          }
        });
  }

  private static void compare(MemoryStore store, LimitKey key, SplittableRandom random) {
    Claim other = new Claim(limit(1_000), new LimitKey(3, key.low()), 1, 0);
    long before = random.nextLong(12);
    if (before > 0) {
      assertThat(store.take(new Claim(limit(1_000), key, before, 0)).allowed()).isTrue();
    }
    List<Claim> claims = new ArrayList<>();
    for (int i = random.nextInt(1, 4); i >= 0; i--) {
      claims.add(new Claim(limit(random.nextLong(1, 15)), key, random.nextLong(5), 0));
    }
    claims.add(random.nextInt(claims.size()), other);
    CommonLimits common = CommonLimits.of(claims);
    if (common == null) {
      return; // the same limit each time
    }
    String of = before + " counted, " + claims;
    List<Decision> tried = expected(claims, other, before, false);
    assertThat(common.send(store::peek).join().each()).as(of).isEqualTo(tried);
    boolean granted = tried.stream().allMatch(Decision::allowed);
    assertThat(common.send(store::take).join().each())
        .as(of)
        .isEqualTo(granted ? expected(claims, other, before, true) : tried);
    long cost = claims.stream().filter(one -> !one.equals(other)).mapToLong(Claim::cost).sum();
    Decision now = store.peek(List.of(new Claim(limit(1_000), key, 0, 0)));
    assertThat(1_000 - now.remaining()).as(of).isEqualTo(granted ? before + cost : before);
  }

  private static List<Decision> expected(
      List<Claim> claims, Claim other, long before, boolean spent) {
    List<Decision> each = new ArrayList<>();
    long cost = 0;
    for (Claim claim : claims) {
      if (claim.equals(other)) {
        long left = claim.limit().permits() - (spent ? claim.cost() : 0);
        each.add(Decision.of(Verdict.ALLOWED, left, 0, spent ? RESET_MICROS : 0));
        continue;
      }
      cost += claim.cost();
      long permits = claim.limit().permits();
      Verdict verdict =
          before + cost <= permits
              ? Verdict.ALLOWED
              : cost > permits ? Verdict.NEVER : Verdict.DENIED;
      long counted = before + (spent ? cost : 0);
      long reset = counted == 0 ? 0 : RESET_MICROS;
      each.add(
          Decision.of(verdict, permits - counted, verdict == Verdict.DENIED ? reset : 0, reset));
    }
    return each;
  }
}
