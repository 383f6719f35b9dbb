package dev.weir.gateway.adaptive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.gateway.adaptive.ConcurrencyGate.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Requests enter a gate up to its limit, and leave it once. */
class ConcurrencyGateTest {
  @Test
  void entersUpToTheLimitAndAgainAfterAnExit() {
    ConcurrencyGate gate = new ConcurrencyGate(new FixedLimit(2));
    assertThat(gate.tryEnter()).isTrue();
    assertThat(gate.tryEnter()).isTrue();
    assertThat(gate.tryEnter()).isFalse();
    assertThat(gate.inFlight()).isEqualTo(2);
    gate.exit(1, Outcome.SERVED);
    assertThat(gate.tryEnter()).isTrue();
    assertThat(gate.tryEnter()).isFalse();
  }

  @Test
  void exitWithoutARequestIsRefused() {
    ConcurrencyGate gate = new ConcurrencyGate(new FixedLimit(2));
    assertThatThrownBy(() -> gate.exit(1, Outcome.SERVED))
        .isInstanceOf(IllegalStateException.class);
    assertThat(gate.inFlight()).isZero();
  }

  @Test
  void limitLearnsFromServedAndDroppedRequestsOnly() {
    List<String> samples = new ArrayList<>();
    ConcurrencyGate gate =
        new ConcurrencyGate(
            new AdaptiveLimit() {
              @Override
              public int limit() {
                return 9;
              }

              @Override
              public void onSample(long rttNanos, int inFlight, boolean dropped) {
                samples.add(rttNanos + " " + inFlight + " " + dropped);
              }
            });
    for (int i = 0; i < 3; i++) {
      assertThat(gate.tryEnter()).isTrue();
    }
    gate.exit(30, Outcome.SERVED);
    gate.exit(20, Outcome.IGNORED);
    gate.exit(10, Outcome.DROPPED);
    assertThat(samples).containsExactly("30 3 false", "10 1 true");
  }

  @Test
  void threadsNeverExceedTheLimit() throws Exception {
    ConcurrencyGate gate = new ConcurrencyGate(new FixedLimit(3));
    AtomicInteger inside = new AtomicInteger();
    AtomicInteger highest = new AtomicInteger();
    AtomicInteger entered = new AtomicInteger();
    CountDownLatch start = new CountDownLatch(1);
    List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < 8; t++) {
      Thread thread =
          new Thread(
              () -> {
                try {
                  start.await();
                } catch (InterruptedException e) {
                  return;
                }
                for (int i = 0; i < 20_000; i++) {
                  if (gate.tryEnter()) {
                    entered.incrementAndGet();
                    highest.accumulateAndGet(inside.incrementAndGet(), Math::max);
                    inside.decrementAndGet();
                    gate.exit(1, Outcome.SERVED);
                  }
                }
              });
      threads.add(thread);
      thread.start();
    }
    start.countDown();
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(highest.get()).isBetween(1, 3);
    assertThat(entered.get()).isPositive();
    assertThat(gate.inFlight()).isZero();
  }
}
