package dev.weir.load.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Timelines on virtual time. */
class WorkerPoolTest {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
  private static final Capacity CAPACITY = Capacity.of(800);

  private record Timer(long nanos, Runnable task) {}

  private final PriorityQueue<Timer> timers =
      new PriorityQueue<>(Comparator.comparingLong(Timer::nanos));
  private final ServiceTime times = new ServiceTime(CAPACITY, new SplittableRandom(1));
  private final WorkerPool pool =
      new WorkerPool(CAPACITY, times, (nanos, task) -> timers.add(new Timer(nanos, task)));
  private long answered;

  /** Runs what is due until a time, as late as {@code latenessNanos}. */
  private void runUntil(long nanos, long latenessNanos) {
    while (!timers.isEmpty() && timers.peek().nanos + latenessNanos <= nanos) {
      timers.remove().task.run();
    }
  }

  /** Offers requests at a rate, and returns how many are answered in the last second. */
  private long answeredInTheLastSecond(int perSecond, int seconds, long latenessNanos) {
    long before = 0;
    for (long i = 0; i < (long) perSecond * seconds; i++) {
      long now = i * SECOND / perSecond;
      if (i == (long) perSecond * (seconds - 1)) {
        before = answered;
      }
      runUntil(now, latenessNanos);
      assertThat(pool.accept(() -> answered++, now)).isTrue();
    }
    return answered - before;
  }

  @Test
  void serviceWithinItsCapacityAnswersEverything() {
    long last = answeredInTheLastSecond(760, 20, 0);
    assertThat(last).isBetween(740L, 780L);
    assertThat(pool.waiting()).isLessThan(CAPACITY.workers());
  }

  @Test
  void lateTimersDoNotLowerTheCapacity() {
    assertThat(answeredInTheLastSecond(760, 20, TimeUnit.MILLISECONDS.toNanos(2)))
        .isBetween(740L, 780L);
  }

  @Test
  void overloadedServiceDoesLessThanABusyOne() {
    long last = answeredInTheLastSecond(2_400, 10, 0);
    assertThat(last).as("with over ten thousand waiting").isBetween(200L, 400L);
    assertThat(pool.waiting()).isGreaterThan(10_000);
  }

  @Test
  void requestsAreServedInTheirOrderAndOnlyWhenAWorkerIsFree() {
    List<Integer> begun = new ArrayList<>();
    Capacity one = new Capacity(10, 1);
    ServiceTime time = new ServiceTime(one, new SplittableRandom(1));
    WorkerPool single =
        new WorkerPool(one, time, (nanos, task) -> timers.add(new Timer(nanos, task)));
    for (int i = 0; i < 3; i++) {
      int number = i;
      assertThat(single.accept(() -> begun.add(number), 0)).isTrue();
    }
    assertThat(timers).hasSize(1);
    assertThat(single.waiting()).isEqualTo(2);
    runUntil(Long.MAX_VALUE, 0);
    assertThat(begun).containsExactly(0, 1, 2);
    assertThat(single.waiting()).isZero();
  }

  @Test
  void queueIsLongButBounded() {
    for (int i = 0; i < CAPACITY.workers() + WorkerPool.MAX_WAITING; i++) {
      assertThat(pool.accept(() -> {}, 0)).isTrue();
    }
    assertThat(pool.accept(() -> {}, 0)).isFalse();
  }

  @Test
  void meanServiceTimeIsThatOfTheCapacity() {
    long sum = 0;
    for (int i = 0; i < 20_000; i++) {
      sum += times.drawNanos(0);
    }
    assertThat(CAPACITY.serviceNanos()).isEqualTo(TimeUnit.MILLISECONDS.toNanos(40));
    assertThat(sum / 20_000.0).isCloseTo((double) CAPACITY.serviceNanos(), within(0.4e6));
  }

  @Test
  void waitingRequestsSlowDownThoseInService() {
    assertThat(times.slowdown(0)).isEqualTo(1);
    assertThat(times.slowdown(CAPACITY.workers())).isLessThan(1.04);
    assertThat(times.slowdown(100 * CAPACITY.workers())).isEqualTo(2.5);
    assertThat(times.slowdown(WorkerPool.MAX_WAITING)).isBetween(3.5, 4.0);
  }

  @Test
  void capacityOutOfBoundsIsRefused() {
    assertThatThrownBy(() -> Capacity.of(99)).hasMessageStartingWith("capacity: 99 (expected: ");
    assertThat(Capacity.of(100)).isEqualTo(new Capacity(100, 8));
  }
}
