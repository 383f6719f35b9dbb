package dev.weir.shared.fallback;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Claim;
import dev.weir.Limit;
import dev.weir.LimitKey;
import dev.weir.shared.GuardSettings;
import dev.weir.shared.GuardedStore;
import dev.weir.shared.RemoteStore;
import dev.weir.shared.Shards;
import dev.weir.shared.ThreeServerFixture;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** Settlement of the pending charges of a server that granted locally. */
class PendingChargesTest extends ThreeServerFixture {
  @Test
  void localGrantsAreChargedOnceTheStoreIsBack() {
    shared.take(claim(TEN, 4));
    grant(gone, TEN, 20);
    assertThat(fallback.pendingKeys()).isEqualTo(1);
    fallback.settle(shared, key -> true, false).toCompletableFuture().join();
    assertThat(used(TEN)).isEqualTo(7);
    assertThat(fallback.settled()).isEqualTo(3);
    assertThat(fallback.pendingKeys()).isZero();
    fallback.settle(shared, key -> true, false).toCompletableFuture().join();
    assertThat(used(TEN)).as("once").isEqualTo(7);
  }

  @Test
  void requestThatTheStoreMayHaveCountedIsNotCharged() {
    grant(lost, TEN, 20);
    assertThat(fallback.pendingKeys()).isZero();
    fallback.settle(shared, key -> true, false).toCompletableFuture().join();
    assertThat(used(TEN)).isZero();
  }

  @Test
  void afterADataLossEarlierGrantsOfTheStoreAreChargedToo() {
    fallback.mirrorGrant(Claim.of(TEN, KEY, 2));
    grant(gone, TEN, 20);
    assertThat(fleet.announce().toCompletableFuture().join()).isTrue();
    fallback.settle(shared, key -> true, true).toCompletableFuture().join();
    assertThat(used(TEN)).isEqualTo(3);
  }

  @Test
  void grantsDuringSettlementAfterADataLossAreChargedOnce() {
    List<Claim> all = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      all.add(Claim.of(NINETY, new LimitKey(9, i), 1));
    }
    all.forEach(one -> fallback.mirrorGrant(one.withCost(2)));
    all.forEach(one -> fallback.storeAfter(gone).take(List.of(one)));
    RemoteStore remote = new RemoteStore(shared, scheduler);
    var settling = fallback.settle(remote, key -> true, true).toCompletableFuture();
    all.forEach(
        one -> fallback.storeAfter(gone).take(List.of(one))); // most charges are still queued
    scheduler.advance(remote.roundTrip.multipliedBy(5));
    assertThat(settling).isCompleted();
    fallback.settle(shared, key -> true, false).toCompletableFuture().join();
    assertThat(all).allMatch(one -> shared.peek(List.of(one.withCost(0))).remaining() == 90 - 4);
  }

  @Test
  void chargesOfUnreachableKeysStayPending() {
    grant(gone, TEN, 3);
    fallback.storeAfter(gone).take(List.of(Claim.of(TEN, new LimitKey(9, 9), 1)));
    LimitKey unreachable = claim(TEN, 1).get(0).key();
    fallback.settle(shared, key -> !key.equals(unreachable), false).toCompletableFuture().join();
    assertThat(fallback.settled()).isEqualTo(1);
    assertThat(fallback.pendingKeys()).isEqualTo(1);
    fallback.settle(shared, key -> true, false).toCompletableFuture().join();
    assertThat(used(TEN)).isEqualTo(3);
  }

  @Test
  void chargesThatFailAfterADataLossStayPending() {
    fallback.mirrorGrant(Claim.of(TEN, KEY, 2));
    grant(gone, TEN, 20);
    RemoteStore remote = new RemoteStore(shared, scheduler);
    remote.disconnected = true;
    fallback.settle(remote, key -> true, true).toCompletableFuture().join();
    fallback.settle(shared, key -> true, false).toCompletableFuture().join();
    assertThat(used(TEN)).isEqualTo(3);
  }

  @Test
  void pendingChargeIsAtMostAWindowsWorth() {
    Limit bucket = Limit.tokenBucket(30, Duration.ofSeconds(1), 60);
    long granted = 0;
    for (int i = 0; i < 600; i++) {
      granted += grant(gone, bucket, 1);
      ticker.advance(Duration.ofMillis(100));
    }
    assertThat(granted).as("a third of the rate for a minute").isBetween(600L, 620L);
    fallback.settle(shared, key -> true, false).toCompletableFuture().join();
    assertThat(used(bucket)).isLessThanOrEqualTo(20);
    grant(gone, TEN, 20);
    ticker.advance(Duration.ofHours(1));
    fallback.settle(shared, key -> true, false).toCompletableFuture().join();
    assertThat(used(TEN)).as("the window has ended, and the pending charge with it").isZero();
  }

  @Test
  void chargesThatFailWithoutEffectStayPending() {
    grant(gone, TEN, 20);
    RemoteStore remote = new RemoteStore(shared, scheduler);
    remote.disconnected = true;
    fallback.settle(remote, key -> true, false).toCompletableFuture().join();
    assertThat(fallback.pendingKeys()).isEqualTo(1);
    assertThat(fallback.settled()).isZero();
    fallback.settle(shared, key -> true, false).toCompletableFuture().join();
    assertThat(used(TEN)).isEqualTo(3);
  }

  @Test
  void eachKeyIsChargedByItself() {
    for (int i = 0; i < 200; i++) {
      fallback.storeAfter(gone).take(List.of(Claim.of(TEN, new LimitKey(9, i), 1)));
    }
    RemoteStore remote = new RemoteStore(shared, scheduler);
    var settled = fallback.settle(remote, key -> true, false).toCompletableFuture();
    scheduler.advance(remote.roundTrip.dividedBy(2));
    assertThat(remote.received).as("so many at a time").hasSize(64).containsOnly("charge 1");
    remote.disconnected = true; // from now on
    scheduler.advance(remote.roundTrip);
    assertThat(settled).isCompleted();
    assertThat(fallback.settled()).isEqualTo(64);
    assertThat(fallback.pendingKeys()).isEqualTo(136);
    assertThat(fallback.lost()).isZero();
  }

  @Test
  void refundThatTheStoreMayHaveExecutedLeavesTheChargePending() {
    grant(gone, TEN, 3);
    fallback.storeAfter(lost).refund(claim(TEN, 2));
    fallback.settle(shared, key -> true, false).toCompletableFuture().join();
    assertThat(used(TEN)).isEqualTo(3);
  }

  @Test
  void chargeOfUnknownEffectIsNotRepeated() {
    grant(gone, TEN, 20);
    RemoteStore remote = new RemoteStore(shared, scheduler);
    remote.losesAnswers = true;
    GuardedStore guarded =
        new GuardedStore(
            remote, Shards.ONE, GuardSettings.DEFAULT, scheduler, new IgnoringListener());
    var unused = fallback.settle(guarded, key -> true, false);
    scheduler.advance(Duration.ofSeconds(1));
    assertThat(fallback.pendingKeys()).isZero();
    assertThat(fallback.lost()).isEqualTo(3);
    assertThat(used(TEN)).isEqualTo(3);
  }

  /** Ignores everything. */
  private static final class IgnoringListener implements GuardedStore.Listener {
    @Override
    public void onAnswer(@org.jspecify.annotations.Nullable Throwable failure) {}

    @Override
    public void onOpened(String shard, Throwable failure) {}

    @Override
    public CompletionStage<?> onProbeAnswered() {
      return CompletableFuture.completedStage(null);
    }

    @Override
    public void onClosed(String shard) {}
  }

  @Test
  void localRefundReducesThePendingCharge() {
    grant(gone, TEN, 3);
    fallback.storeAfter(gone).refund(claim(TEN, 2));
    fallback.settle(shared, key -> true, false).toCompletableFuture().join();
    assertThat(used(TEN)).isEqualTo(1);
  }

  @Test
  void decayedChargesMakeRoom() {
    Limit second = Limit.fixedWindow(10, Duration.ofSeconds(1));
    for (int round = 0; round < 3; round++) {
      for (int i = 0; i < PendingCharges.MAX_KEYS / 2; i++) {
        fallback.storeAfter(gone).charge(List.of(Claim.of(second, new LimitKey(round, i), 1)));
      }
      ticker.advance(Duration.ofSeconds(1));
    }
    assertThat(fallback.lost()).isZero();
    assertThat(fallback.pendingKeys()).isLessThanOrEqualTo(PendingCharges.MAX_KEYS);
  }

  @Test
  void pendingKeysAreBounded() {
    for (int i = 0; i < PendingCharges.MAX_KEYS + 10; i++) {
      fallback.storeAfter(gone).charge(List.of(Claim.of(TEN, new LimitKey(9, i), 1)));
    }
    assertThat(fallback.pendingKeys()).isEqualTo(PendingCharges.MAX_KEYS);
    assertThat(fallback.lost()).isEqualTo(10);
    fallback.settle(shared, key -> true, false).toCompletableFuture().join();
    assertThat(fallback.settled()).isEqualTo(PendingCharges.MAX_KEYS);
  }

  @Test
  void floodUnderOneRuleEvictsNoChargesOfAnother() {
    Limit flooded = TEN.ofRule("flooded");
    Limit other = TEN.ofRule("other");
    for (int i = 0; i < PendingCharges.MAX_KEYS + 10; i++) {
      fallback.storeAfter(gone).charge(List.of(Claim.of(flooded, new LimitKey(9, i), 1)));
    }
    assertThat(fallback.lost()).isEqualTo(10);
    for (int i = 0; i < 1_000; i++) {
      fallback.storeAfter(gone).charge(List.of(Claim.of(other, new LimitKey(10, i), 1)));
    }
    assertThat(fallback.pendingKeys()).isEqualTo(PendingCharges.MAX_KEYS);
    assertThat(fallback.lost()).as("dropped from the flood").isEqualTo(1_010);
    fallback.settle(shared, key -> key.high() == 10, false).toCompletableFuture().join();
    assertThat(fallback.settled()).isEqualTo(1_000);
  }

  @Test
  void logsOfOneRuleTakeNoRoomFromLogsOfAnother() {
    long now = 1_800_000_000_000_000L;
    PendingCharges pending = new PendingCharges(10_000, 1_000);
    Limit flooded = Limit.slidingLog(5, Duration.ofDays(1)).ofRule("flooded");
    Limit other = Limit.slidingLog(5, Duration.ofDays(1)).ofRule("other");
    for (int i = 0; i < 990; i++) {
      pending.add(Claim.of(flooded, new LimitKey(9, i), 1), flooded, now + i);
    }
    assertThat(pending.dropped()).as("without room").isPositive();
    for (int i = 0; i < 10; i++) {
      Claim claim = Claim.of(other, new LimitKey(10, i), 1);
      pending.add(claim, other, now + i);
      assertThat(pending.amount(claim.key(), now + i)).isEqualTo(1);
    }
    List<Claim> all = pending.drain(key -> true, now + 100);
    assertThat(all.stream().filter(claim -> claim.key().high() == 10)).hasSize(10);
    assertThat(pending.dropped() + all.size()).isEqualTo(1_000);
    assertThat(pending.size()).isZero();
  }
}
