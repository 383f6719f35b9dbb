package dev.weir.shared.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Answer;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Decision.Basis;
import dev.weir.Decision.Verdict;
import dev.weir.Limit;
import dev.weir.LimitKey;
import dev.weir.memory.MemoryStore;
import dev.weir.shared.RemoteStore;
import dev.weir.shared.fleet.Fleet;
import dev.weir.testkit.time.ManualScheduler;
import dev.weir.testkit.time.ManualTicker;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Denials that are answered from the cache. */
class DenialCacheTest {
  private static final Limit THREE = Limit.tokenBucket(3, Duration.ofMinutes(1), 3);
  private static final Limit HUNDRED = Limit.fixedWindow(100, Duration.ofHours(1));
  private static final Claim ABUSER = Claim.of(THREE, new LimitKey(1, 1));
  private static final Claim ALL = Claim.of(HUNDRED, new LimitKey(2, 2));

  private final ManualTicker ticker = ManualTicker.at(Duration.ofDays(20_000));
  private final ManualScheduler scheduler = new ManualScheduler(ticker);
  private final MemoryStore shared = new MemoryStore(100_000, ticker);
  private final RemoteStore remote = new RemoteStore(shared, scheduler);
  private final ModeRoutingStore store =
      new ModeRoutingStore(remote, new MemoryStore(1_000, ticker), Fleet.alone(), scheduler);

  private Decision take(Claim... claims) {
    Answer answer = store.take(List.of(claims));
    scheduler.advance(remote.roundTrip);
    return answer.join();
  }

  private void exhaust(Claim... claims) {
    for (int i = 0; i < 3; i++) {
      assertThat(take(claims).allowed()).isTrue();
    }
    assertThat(take(claims).allowed()).isFalse();
    remote.received.clear();
  }

  @Test
  void deniedCallerHardlyEverReachesTheStore() {
    exhaust(ABUSER);
    for (int i = 0; i < 5_000; i++) {
      Decision decision = take(ABUSER);
      assertThat(decision.allowed()).isFalse();
    }
    assertThat(remote.received).as("in five seconds").hasSizeLessThanOrEqualTo(6);
    assertThat(store.counts().remembered()).isGreaterThan(4_900);
  }

  @Test
  void cachedDenialShortensItsWaitingTime() {
    exhaust(ABUSER);
    Decision first = take(ABUSER);
    scheduler.advance(Duration.ofMillis(500));
    Decision second = take(ABUSER);
    assertThat(first.basis()).isEqualTo(Basis.CACHED);
    assertThat(second.basis()).isEqualTo(Basis.CACHED);
    assertThat(first.retryAfter().orElseThrow().minus(second.retryAfter().orElseThrow()))
        .isEqualTo(Duration.ofMillis(501));
    assertThat(first.resetAfter().minus(second.resetAfter())).isEqualTo(Duration.ofMillis(501));
  }

  @Test
  void callerThatWaitsAsStatedIsGranted() {
    exhaust(ABUSER);
    scheduler.advance(take(ABUSER).retryAfter().orElseThrow());
    assertThat(take(ABUSER).allowed()).isTrue();
  }

  @Test
  void lowerCostIsNotDeniedFromTheCache() {
    Claim two = ABUSER.withCost(2);
    assertThat(take(two).allowed()).isTrue();
    assertThat(take(two).allowed()).isFalse();
    assertThat(take(two).basis()).isEqualTo(Basis.CACHED);
    Decision more = take(ABUSER.withCost(3));
    assertThat(more.basis()).as("a higher cost waits longer").isEqualTo(Basis.COUNTED);
    assertThat(take(ABUSER.withCost(4)).verdict()).isEqualTo(Verdict.NEVER);
    assertThat(take(ABUSER).allowed()).isTrue();
  }

  @Test
  void cachedDenialAppliesToRequestsWithFurtherClaims() {
    exhaust(ABUSER, ALL);
    Decision same = take(ABUSER, ALL);
    assertThat(same.basis()).isEqualTo(Basis.CACHED);
    assertThat(same.each().get(1).remaining()).isEqualTo(97);
    Claim other = Claim.of(HUNDRED, new LimitKey(5, 5));
    for (Claim[] request : new Claim[][] {{ABUSER}, {other, ABUSER}, {ABUSER, other}}) {
      Decision decision = take(request);
      assertThat(decision.basis()).isEqualTo(Basis.CACHED);
      assertThat(decision.allowed()).isFalse();
      assertThat(decision.each()).hasSize(request.length);
      assertThat(request[decision.decisive().orElseThrow()]).isEqualTo(ABUSER);
      assertThat(decision.retryAfter()).isPresent();
    }
    assertThat(remote.received).isEmpty();
    assertThat(take(ALL).allowed()).isTrue();
    assertThat(take(other).remaining()).as("nothing was spent beside a denial").isEqualTo(99);
  }

  @Test
  void denialOfASecondClaimOnAKeyIsNotCached() {
    assertThat(take(ABUSER, ABUSER).allowed()).isTrue();
    assertThat(take(ABUSER, ALL, ABUSER).allowed()).as("one is left").isFalse();
    Decision once = take(ABUSER);
    assertThat(once.allowed()).isTrue();
    assertThat(once.basis()).isEqualTo(Basis.COUNTED);
    assertThat(take(ABUSER, ABUSER).allowed()).isFalse();
    assertThat(take(ABUSER).allowed()).isFalse();
  }

  @Test
  void refundAndResetThroughThisServerInvalidateAtOnce() {
    exhaust(ABUSER);
    Answer unused = store.refund(List.of(ABUSER));
    scheduler.advance(remote.roundTrip);
    assertThat(take(ABUSER).allowed()).isTrue();
    assertThat(take(ABUSER).allowed()).isFalse();
    unused = store.reset(List.of(ABUSER));
    scheduler.advance(remote.roundTrip);
    assertThat(take(ABUSER).allowed()).isTrue();
  }

  @Test
  void denialSentBeforeARefundIsNotCached() {
    for (int i = 0; i < 3; i++) {
      take(ABUSER);
    }
    Answer denied = store.take(List.of(ABUSER));
    Answer refund = store.refund(List.of(ABUSER));
    scheduler.advance(remote.roundTrip);
    assertThat(denied.join().allowed()).isFalse();
    assertThat(refund.join().allowed()).isTrue();
    assertThat(take(ABUSER).allowed()).isTrue();
  }

  @Test
  void denialThatArrivesAfterAnInvalidationIsNotCached() {
    DenialCache denials = new DenialCache(0);
    Decision denied = Decision.of(Verdict.DENIED, 0, 60_000_000, 60_000_000);
    denials.invalidate(List.of(ABUSER), 20);
    denials.onDecision(List.of(ABUSER), denied, 10, 30);
    assertThat(denials.find(List.of(ABUSER), 40)).as("sent before the invalidation").isNull();
    denials.onDecision(List.of(ABUSER), denied, 21, 30);
    assertThat(denials.find(List.of(ABUSER), 40)).as("sent after it").isNotNull();
  }

  @Test
  void denialsOfConcurrencyLimitsAreNotCached() {
    Limit one = Limit.concurrent(1, Duration.ofMinutes(1));
    Claim first = Claim.hold(one, new LimitKey(4, 4), 1);
    Claim second = Claim.hold(one, new LimitKey(4, 4), 2);
    assertThat(take(first).allowed()).isTrue();
    assertThat(take(second).allowed()).isFalse();
    assertThat(take(first).allowed()).as("the holder of a permit may renew it").isTrue();
    shared.refund(List.of(first)); // through another server
    assertThat(take(second).allowed()).isTrue();
  }

  @Test
  void refundThroughAnotherServerShowsWithinASecond() {
    exhaust(ABUSER);
    shared.reset(List.of(ABUSER));
    assertThat(take(ABUSER).allowed()).isFalse();
    scheduler.advance(DenialCache.MAX_AGE);
    assertThat(take(ABUSER).allowed()).isTrue();
  }

  @Test
  void cacheIsBounded() {
    DenialCache denials = new DenialCache(scheduler.nanos());
    Decision denied = Decision.of(Verdict.DENIED, 0, 60_000_000, 60_000_000);
    for (int i = 0; i < 50_000; i++) {
      denials.onDecision(List.of(Claim.of(THREE, new LimitKey(i, i))), denied, 0, 0);
    }
    assertThat(denials.size()).isEqualTo(10_000);
    long later = DenialCache.MAX_AGE.toNanos() + 1;
    denials.onDecision(List.of(ABUSER.withCost(1)), denied, later, later);
    denials.onDecision(List.of(Claim.of(THREE, new LimitKey(-1, -1))), denied, later, later);
    assertThat(denials.size()).as("expired entries make room").isLessThan(10);
  }
}
