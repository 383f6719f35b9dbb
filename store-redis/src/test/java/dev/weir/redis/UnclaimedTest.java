package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Answer;
import dev.weir.Claim;
import dev.weir.Limit;
import dev.weir.LimitKey;
import dev.weir.StoreFailure;
import dev.weir.key.KeySpace;
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

/** What Redis grants and nobody waits for is given back. Redis stands still while callers leave. */
@Timeout(60)
class UnclaimedTest {
  private static final Limit TWO = Limit.concurrent(2, Duration.ofHours(1));
  private static final Limit TEN = Limit.fixedWindow(10, Duration.ofDays(3_000));
  private static final Duration SOON = Duration.ofSeconds(20);

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

  private void deadline(Duration deadline) {
    store.close();
    String option = "?deadline=" + deadline.toMillis() + "ms";
    store = RedisStore.connect(RedisSettings.parse(redis.url() + option));
  }

  private Claim hold(long permit) {
    return Claim.hold(TWO, key, permit);
  }

  private static void cancel(Answer answer) {
    assertThat(answer.stage().toCompletableFuture().cancel(true)).isTrue();
    assertThatThrownBy(answer::join).isInstanceOf(CancellationException.class);
  }

  private long left(Claim claim) {
    return auditor.look(List.of(claim.costing(0))).join().remaining();
  }

  private void awaitLeft(Claim claim, long left) {
    Await.until(left + " left", SOON, () -> left(claim) == left);
    Await.until("nothing on its way", SOON, () -> store.holdsOnTheirWay() == 0);
  }

  /** When this has returned, answers to all that was asked before have come. */
  private void flush() {
    store.look(List.of(Claim.of(TEN, keys.key("nobody"), 0))).join();
    store.look(List.of(Claim.of(TEN, keys.key("nobody"), 0))).join();
  }

  @Test
  void aPermitGrantedToACallerWhoCancelledIsReleased() {
    redis.pause();
    cancel(store.take(hold(1)));
    redis.resume();
    awaitLeft(hold(1), 2);
  }

  @Test
  void permitsOfARateAreGivenBackOnce() {
    store.take(Claim.of(TEN, key, 3)).join();
    redis.pause();
    for (int i = 0; i < 4; i++) {
      cancel(store.take(Claim.of(TEN, key)));
    }
    Answer kept = store.take(Claim.of(TEN, key));
    redis.resume();
    assertThat(kept.join().allowed()).isTrue();
    awaitLeft(Claim.of(TEN, key), 6);
    flush();
    assertThat(left(Claim.of(TEN, key))).isEqualTo(6);
  }

  @Test
  void allClaimsOfARequestAreGivenBack() {
    redis.pause();
    cancel(store.take(List.of(hold(1), Claim.of(TEN, key, 2))));
    redis.resume();
    awaitLeft(hold(1), 2);
    awaitLeft(Claim.of(TEN, key), 10);
  }

  @Test
  void whatIsCancelledBeforeItIsSentIsNotAskedFor() {
    long calls = store.calls();
    redis.pause();
    Answer out = store.take(Claim.of(TEN, key));
    cancel(store.take(hold(1)));
    cancel(store.take(Claim.of(TEN, key)));
    redis.resume();
    assertThat(out.join().allowed()).isTrue();
    flush();
    assertThat(store.calls()).as("the first, and two to flush").isEqualTo(calls + 3);
    assertThat(left(Claim.of(TEN, key))).isEqualTo(9);
    assertThat(left(hold(1))).isEqualTo(2);
    assertThat(store.holdsOnTheirWay()).isZero();
  }

  @Test
  void aDeniedTakeThatWasCancelledGivesNothingBack() {
    store.take(Claim.of(TEN, key, 9)).join();
    redis.pause();
    cancel(store.take(Claim.of(TEN, key, 5)));
    redis.resume();
    flush();
    assertThat(left(Claim.of(TEN, key))).isEqualTo(1);
  }

  /** Takes that are all the same travel as one; each caller has its own part of the answer. */
  @Test
  void whatOneCallerDoesToItsFutureOthersDoNotNotice() {
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
    awaitLeft(Claim.of(TEN, key), 8);
  }

  @Test
  void aPermitGrantedAfterTheDeadlineIsReleasedAndNothingElse() {
    deadline(Duration.ofMillis(300));
    redis.pause();
    Answer late = store.take(List.of(hold(1), Claim.of(TEN, key, 2)));
    assertThatThrownBy(late::join)
        .isInstanceOfSatisfying(
            StoreFailure.class,
            failure -> assertThat(failure.effect()).isEqualTo(StoreFailure.Effect.UNKNOWN));
    redis.resume();
    awaitLeft(Claim.of(TEN, key), 8);
    awaitLeft(hold(1), 2);
  }

  @Test
  void aHolderWhoseRenewalIsLateKeepsItsPermit() {
    deadline(Duration.ofMillis(300));
    store.take(hold(1)).join();
    redis.pause();
    Answer late = store.take(hold(1));
    assertThatThrownBy(late::join).isInstanceOf(StoreFailure.class);
    redis.resume();
    Await.until("the late answer", SOON, () -> store.holdsOnTheirWay() == 0);
    flush();
    assertThat(left(hold(1))).isEqualTo(1);
  }

  @Test
  void aHolderThatAsksAgainKeepsWhatTheSecondTakeGrants() {
    redis.pause();
    cancel(store.take(hold(1)));
    Answer again = store.take(hold(1));
    redis.resume();
    assertThat(again.join().allowed()).isTrue();
    flush();
    assertThat(left(hold(1))).isEqualTo(1);
    assertThat(store.holdsOnTheirWay()).isZero();
  }

  /** The first take is out when the second one is asked for, and neither has a taker. */
  @Test
  void aPermitIsReleasedThoughItsHolderAskedForItAgain() {
    redis.pause();
    cancel(store.take(hold(1)));
    cancel(store.take(hold(1)));
    redis.resume();
    awaitLeft(hold(1), 2);
    redis.pause();
    Answer first = store.take(hold(2));
    Answer denied = store.take(Claim.hold(TWO, key, 2).costing(3));
    cancel(first);
    redis.resume();
    assertThat(denied.join().allowed()).isFalse();
    awaitLeft(hold(2), 2);
  }

  @Test
  void whatIsAnsweredLeavesNothingBehind() {
    for (long permit = 1; permit < 100; permit++) {
      store.take(hold(permit)).stage().toCompletableFuture().join();
    }
    Await.until("nothing on its way", SOON, () -> store.holdsOnTheirWay() == 0);
  }
}
