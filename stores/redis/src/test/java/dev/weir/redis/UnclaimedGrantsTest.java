package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Answer;
import dev.weir.Claim;
import dev.weir.Limit;
import dev.weir.LimitKey;
import dev.weir.StoreFailure;
import dev.weir.key.KeySpace;
import dev.weir.redis.connection.RedisSettings;
import dev.weir.testkit.redis.Await;
import dev.weir.testkit.redis.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Grants without a waiting caller are refunded. Redis is paused while callers cancel. */
@Timeout(60)
class UnclaimedGrantsTest {
  private static final Limit TWO = Limit.concurrent(2, Duration.ofHours(1));
  private static final Limit TEN = Limit.fixedWindow(10, Duration.ofDays(3_000));
  private static final Duration TIMEOUT = Duration.ofSeconds(20);

  private static RedisServer redis;

  private final KeySpace keys = KeySpace.random();
  private final LimitKey key = keys.key("caller");
  private RedisStore store;
  private RedisStore auditor;

  @BeforeAll
  static void start() {
    redis = RedisServer.start();
  }

  @AfterAll
  static void stop() {
    redis.close();
  }

  @BeforeEach
  void connect() {
    store = RedisStore.connect(RedisSettings.parse(redis.url() + "?deadline=10s"));
    auditor = RedisStore.connect(RedisSettings.parse(redis.url() + "?deadline=10s"));
  }

  @AfterEach
  void close() {
    redis.resume();
    store.close();
    auditor.close();
  }

  private void reconnect(Duration deadline) {
    store.close();
    String option = "?deadline=" + deadline.toMillis() + "ms";
    store = RedisStore.connect(RedisSettings.parse(redis.url() + option));
  }

  private Claim hold(long holder) {
    return Claim.hold(TWO, key, holder);
  }

  private static void cancel(Answer answer) {
    assertThat(answer.stage().toCompletableFuture().cancel(true)).isTrue();
    assertThatThrownBy(answer::join).isInstanceOf(CancellationException.class);
  }

  private long remaining(Claim claim) {
    return auditor.peek(List.of(claim.withCost(0))).join().remaining();
  }

  private void awaitRemaining(Claim claim, long expected) {
    Await.until(expected + " remaining", TIMEOUT, () -> remaining(claim) == expected);
    Await.until("no take in flight", TIMEOUT, () -> store.holdersInFlight() == 0);
  }

  /** Returns when the replies to all earlier requests have come. */
  private void flush() {
    store.peek(List.of(Claim.of(TEN, keys.key("unused"), 0))).join();
    store.peek(List.of(Claim.of(TEN, keys.key("unused"), 0))).join();
  }

  @Test
  void permitOfACancelledTakeIsReleased() {
    redis.pause();
    cancel(store.take(hold(1)));
    redis.resume();
    awaitRemaining(hold(1), 2);
  }

  @Test
  void rateOfACancelledTakeIsRefundedOnce() {
    store.take(Claim.of(TEN, key, 3)).join();
    redis.pause();
    for (int i = 0; i < 4; i++) {
      cancel(store.take(Claim.of(TEN, key)));
    }
    Answer kept = store.take(Claim.of(TEN, key));
    redis.resume();
    assertThat(kept.join().allowed()).isTrue();
    awaitRemaining(Claim.of(TEN, key), 6);
    flush();
    assertThat(remaining(Claim.of(TEN, key))).isEqualTo(6);
  }

  @Test
  void allClaimsOfACancelledTakeAreRefunded() {
    redis.pause();
    cancel(store.take(List.of(hold(1), Claim.of(TEN, key, 2))));
    redis.resume();
    awaitRemaining(hold(1), 2);
    awaitRemaining(Claim.of(TEN, key), 10);
  }

  @Test
  void takeCancelledBeforeItIsSentIsNotSent() {
    long calls = store.calls();
    redis.pause();
    Answer inFlight = store.take(Claim.of(TEN, key));
    cancel(store.take(hold(1)));
    cancel(store.take(Claim.of(TEN, key)));
    redis.resume();
    assertThat(inFlight.join().allowed()).isTrue();
    flush();
    assertThat(store.calls()).as("the first, and two to flush").isEqualTo(calls + 3);
    assertThat(remaining(Claim.of(TEN, key))).isEqualTo(9);
    assertThat(remaining(hold(1))).isEqualTo(2);
    assertThat(store.holdersInFlight()).isZero();
  }

  @Test
  void cancelledTakeThatWasDeniedRefundsNothing() {
    store.take(Claim.of(TEN, key, 9)).join();
    redis.pause();
    cancel(store.take(Claim.of(TEN, key, 5)));
    redis.resume();
    flush();
    assertThat(remaining(Claim.of(TEN, key))).isEqualTo(1);
  }

  /** Identical takes are coalesced; each caller has a future of its own. */
  @Test
  void futuresOfCoalescedTakesAreIndependent() {
    redis.pause();
    Answer first = store.take(Claim.of(TEN, key));
    Answer cancelled = store.take(Claim.of(TEN, key));
    Answer completed = store.take(Claim.of(TEN, key));
    Answer obtruded = store.take(Claim.of(TEN, key));
    Answer other = store.take(Claim.of(TEN, key));
    cancel(cancelled);
    completed.stage().toCompletableFuture().completeExceptionally(new IllegalStateException("me"));
    obtruded.stage().toCompletableFuture().obtrudeException(new IllegalStateException("me"));
    redis.resume();
    assertThat(first.join().allowed()).isTrue();
    assertThat(other.join().allowed()).isTrue();
    assertThatThrownBy(completed::join).hasMessageContaining("me");
    awaitRemaining(Claim.of(TEN, key), 8);
  }

  @Test
  void onlyThePermitOfALateGrantIsReleased() {
    reconnect(Duration.ofMillis(300));
    redis.pause();
    Answer late = store.take(List.of(hold(1), Claim.of(TEN, key, 2)));
    assertThatThrownBy(late::join)
        .isInstanceOfSatisfying(
            StoreFailure.class,
            failure -> assertThat(failure.effect()).isEqualTo(StoreFailure.Effect.UNKNOWN));
    redis.resume();
    awaitRemaining(Claim.of(TEN, key), 8);
    awaitRemaining(hold(1), 2);
  }

  @Test
  void lateRenewalKeepsThePermit() {
    reconnect(Duration.ofMillis(300));
    store.take(hold(1)).join();
    redis.pause();
    Answer late = store.take(hold(1));
    assertThatThrownBy(late::join).isInstanceOf(StoreFailure.class);
    redis.resume();
    Await.until("the late reply", TIMEOUT, () -> store.holdersInFlight() == 0);
    flush();
    assertThat(remaining(hold(1))).isEqualTo(1);
  }

  @Test
  void permitStaysIfTheSecondTakeOfItsHolderIsClaimed() {
    redis.pause();
    cancel(store.take(hold(1)));
    Answer again = store.take(hold(1));
    redis.resume();
    assertThat(again.join().allowed()).isTrue();
    flush();
    assertThat(remaining(hold(1))).isEqualTo(1);
    assertThat(store.holdersInFlight()).isZero();
  }

  /** The first take is in flight when the second one is submitted; no caller claims either. */
  @Test
  void permitIsReleasedIfNoTakeOfItsHolderIsClaimed() {
    redis.pause();
    cancel(store.take(hold(1)));
    cancel(store.take(hold(1)));
    redis.resume();
    awaitRemaining(hold(1), 2);
    redis.pause();
    Answer first = store.take(hold(2));
    Answer denied = store.take(Claim.hold(TWO, key, 2).withCost(3));
    cancel(first);
    redis.resume();
    assertThat(denied.join().allowed()).isFalse();
    awaitRemaining(hold(2), 2);
  }

  @Test
  void answeredTakesAreNotTracked() {
    for (long holder = 1; holder < 100; holder++) {
      store.take(hold(holder)).stage().toCompletableFuture().join();
    }
    Await.until("no take in flight", TIMEOUT, () -> store.holdersInFlight() == 0);
  }
}
