package dev.weir.client.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.client.ManualTimers;
import dev.weir.client.dispatch.RequestNotSentException.Reason;
import dev.weir.client.header.Advertised;
import dev.weir.client.header.Quota;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What a pacer asks of its timers and workers. */
class PacerTimersTest {
  private static final long SECOND = 1_000_000_000L;

  private final ManualTimers timers = new ManualTimers();

  private static Advertised spent(long resetSeconds) {
    return new Advertised(
        OptionalLong.empty(),
        List.of(new Quota(0, resetSeconds * SECOND, OptionalLong.empty(), OptionalLong.empty())));
  }

  private static Advertised retryAfter(long seconds) {
    return new Advertised(OptionalLong.of(seconds * SECOND), List.of());
  }

  private static Reason reason(CompletableFuture<Void> turn) {
    try {
      turn.getNow(null);
      throw new AssertionError("not refused");
    } catch (CompletionException e) {
      assertThat(e.getCause()).isInstanceOf(RequestNotSentException.class);
      return ((RequestNotSentException) Objects.requireNonNull(e.getCause())).reason();
    }
  }

  @Test
  void turnsOfOthersEndOnWorkersNotOnTheThreadOfAResponse() {
    List<Runnable> work = new ArrayList<>();
    Timers workers =
        new Timers() {
          @Override
          public long nanos() {
            return timers.nanos();
          }

          @Override
          public Runnable schedule(long delayNanos, Runnable task) {
            return timers.schedule(delayNanos, task);
          }

          @Override
          public void execute(Runnable task) {
            work.add(task);
          }
        };
    Pacer pacer = new Pacer("http://server:80", DispatchSettings.DEFAULT, workers, new Random(1));
    Turn first = pacer.join(30 * SECOND);
    Turn second = pacer.join(30 * SECOND);
    assertThat(second).isDone();
    pacer.onResponse(first, false, spent(2));
    Turn hurried = pacer.join(4 * SECOND);
    pacer.onResponse(second, true, retryAfter(6));
    assertThat(hurried).isNotDone();
    assertThat(work).hasSize(1);
    work.remove(0).run();
    assertThat(reason(hurried)).isEqualTo(Reason.LIMIT);
  }

  @Test
  void refusedRequestsNeitherSetTimersNorLookAtThoseThatWait() {
    AtomicInteger scheduled = new AtomicInteger();
    AtomicInteger readings = new AtomicInteger();
    Timers counting =
        new Timers() {
          @Override
          public long nanos() {
            readings.incrementAndGet();
            return timers.nanos();
          }

          @Override
          public Runnable schedule(long delayNanos, Runnable task) {
            scheduled.incrementAndGet();
            return timers.schedule(delayNanos, task);
          }
        };
    Pacer pacer = new Pacer("http://server:80", DispatchSettings.DEFAULT, counting, new Random(1));
    pacer.onResponse(pacer.join(30 * SECOND), false, spent(5));
    for (int i = 0; i < DispatchSettings.DEFAULT.maxWaiting(); i++) {
      assertThat(pacer.join(30 * SECOND)).isNotDone();
    }
    readings.set(0);
    assertThat(reason(pacer.join(30 * SECOND))).isEqualTo(Reason.QUEUE_FULL);
    assertThat(reason(pacer.join(SECOND))).isEqualTo(Reason.QUEUE_FULL);
    assertThat(pacer.waiting()).isEqualTo(DispatchSettings.DEFAULT.maxWaiting());
    assertThat(scheduled).hasValue(1);
    assertThat(readings).hasValueLessThan(10);
  }

  @Test
  void timerThatFiredBeforeItWasCancelledChangesNothing() {
    Map<Long, Runnable> tasks = new LinkedHashMap<>();
    Set<Long> live = new HashSet<>();
    Timers late =
        new Timers() {
          @Override
          public long nanos() {
            return timers.nanos();
          }

          @Override
          public Runnable schedule(long delayNanos, Runnable task) {
            long number = tasks.size();
            tasks.put(number, task);
            live.add(number);
            return () -> live.remove(number);
          }
        };
    Pacer pacer = new Pacer("http://server:80", DispatchSettings.DEFAULT, late, new Random(1));
    Turn first = pacer.join(30 * SECOND);
    Turn second = pacer.join(30 * SECOND);
    pacer.onResponse(first, true, retryAfter(2));
    assertThat(pacer.join(30 * SECOND)).isNotDone();
    pacer.onResponse(second, true, retryAfter(4));
    assertThat(live).containsExactly(1L);
    Objects.requireNonNull(tasks.get(0L)).run();
    // The late task has neither set another timer nor lost the one that counts.
    assertThat(tasks).hasSize(2);
    assertThat(live).containsExactly(1L);
  }
}
