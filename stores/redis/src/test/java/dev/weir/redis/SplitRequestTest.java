package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.key.KeySpace;
import dev.weir.redis.batch.PendingRequest;
import dev.weir.redis.contract.RunningRedis;
import dev.weir.testkit.redis.Binaries;
import dev.weir.testkit.time.ManualTicker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;

/** Requests in several slots of a cluster: a denial has no side effects. */
@TestInstance(Lifecycle.PER_CLASS)
@Timeout(300)
class SplitRequestTest {
  private static final int TRIES = 20;

  private final Limit concurrent = Limit.concurrent(2, Duration.ofHours(1));
  private final Limit one = Limit.fixedWindow(1, Duration.ofHours(1));
  private final ManualTicker ticker = new ManualTicker(1_800_000_000_000_000L);

  @SuppressWarnings("NullAway.Init")
  private RunningRedis redis;

  @SuppressWarnings("NullAway.Init")
  private RedisStore store;

  @BeforeAll
  void start() {
    redis = RunningRedis.cluster(Binaries.EMBEDDED.get());
    store = RedisStore.connect(redis.settings(), ticker);
  }

  @AfterAll
  void stop() {
    store.close();
    redis.close();
  }

  @Test
  void denialDoesNotReleaseAPermitThatTheCallerHeldBefore() {
    for (int i = 0; i < TRIES; i++) {
      KeySpace keys = KeySpace.random(); // other slots, in another order
      Claim hold = Claim.hold(concurrent, keys.key("in flight"), 7);
      Claim full = Claim.of(one, keys.key("full"), 1);
      store.take(List.of(hold, full)).join();
      assertThat(store.take(List.of(hold, full)).join().allowed()).isFalse();
      assertThat(store.peek(List.of(hold)).join().remaining()).isEqualTo(1);
    }
  }

  @Test
  void denialUnderAChangedLimitLeavesTheCounterUnchanged() {
    Limit before = Limit.tokenBucket(10, Duration.ofSeconds(10));
    Limit after = Limit.tokenBucket(10, Duration.ofSeconds(10), 20);
    for (int i = 0; i < TRIES; i++) {
      KeySpace keys = KeySpace.random();
      Claim full = Claim.of(one, keys.key("full"), 1);
      store.take(List.of(Claim.of(before, keys.key("caller"), 4), full)).join();
      ticker.advance(Duration.ofMillis(500));
      Claim changed = Claim.of(after, keys.key("caller"), 1);
      assertThat(store.take(List.of(changed, full)).join().allowed()).isFalse();
      Decision state = store.peek(List.of(Claim.of(before, keys.key("caller"), 0))).join();
      assertThat(state.resetAfter()).isEqualTo(Duration.ofMillis(3_500));
    }
  }

  @Test
  void losersOfARaceRefundAllTheirTakes() {
    Limit wide = Limit.fixedWindow(1_000, Duration.ofHours(1));
    KeySpace keys = KeySpace.random();
    int admitted = 0;
    for (int i = 0; i < TRIES; i++) {
      Claim contested = Claim.of(one, keys.key("contested " + i), 1);
      List<PendingRequest> pending = new ArrayList<>();
      for (int caller = 0; caller < 10; caller++) {
        Claim twice = Claim.of(wide, keys.key("wide"), 1);
        pending.add((PendingRequest) store.take(List.of(twice, contested, twice)));
      }
      List<Decision> decisions = pending.stream().map(PendingRequest::join).toList();
      assertThat(decisions).filteredOn(Decision::allowed).hasSizeLessThanOrEqualTo(1);
      admitted += (int) decisions.stream().filter(Decision::allowed).count();
      for (Decision denied : decisions.stream().filter(one -> !one.allowed()).toList()) {
        assertThat(denied.each().get(0).remaining()).isEqualTo(denied.each().get(2).remaining());
      }
    }
    assertThat(admitted).isEqualTo(TRIES);
    Decision spent = store.peek(List.of(Claim.of(wide, keys.key("wide"), 0))).join();
    assertThat(spent.remaining()).isEqualTo(1_000 - 2 * TRIES);
  }
}
