package dev.weir.shared;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.async.Scheduler;
import dev.weir.testkit.time.ManualScheduler;
import dev.weir.testkit.time.ManualTicker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Timeouts of pending calls with a shared timer, on a manual clock. */
class DeadlinesTest {
  private static final Duration DEADLINE = Duration.ofMillis(25);

  private final ManualScheduler scheduler =
      new ManualScheduler(ManualTicker.at(Duration.ofDays(20_000)));
  private final List<String> expired = new ArrayList<>();
  private int timersSet;
  private final Deadlines deadlines =
      new Deadlines(
          new Scheduler() {
            @Override
            public long nanos() {
              return scheduler.nanos();
            }

            @Override
            public void schedule(long nanos, Runnable work) {
              timersSet++;
              scheduler.schedule(nanos, work);
            }
          });

  private class Call implements Deadlines.Pending {
    private final String name;
    private final long deadlineNanos;
    private boolean done;

    Call(String name) {
      this(name, scheduler.nanos());
    }

    Call(String name, long sentNanos) {
      this.name = name;
      this.deadlineNanos = sentNanos + DEADLINE.toNanos();
      deadlines.add(this);
    }

    @Override
    public long deadlineNanos() {
      return deadlineNanos;
    }

    @Override
    public boolean isDone() {
      return done;
    }

    @Override
    public void onDeadline() {
      done = true;
      expired.add(name);
    }
  }

  private void advance(long micros) {
    scheduler.advance(Duration.ofNanos(1_000 * micros));
  }

  @Test
  void callsAnsweredInTimeShareOneTimer() {
    for (int i = 0; i < 10_000; i++) {
      Call one = new Call("answered " + i);
      advance(100);
      one.done = true;
    }
    assertThat(timersSet).as("scheduler in a second of 25 ms each").isBetween(40, 42);
    assertThat(expired).isEmpty();
  }

  @Test
  void oneUnansweredCallAmongManyExpiresAtItsDeadline() {
    for (int i = 0; i < 1_000; i++) {
      Call one = new Call("answered " + i);
      if (i == 333) {
        Call lost = new Call("lost");
        one.done = true;
        advance(DEADLINE.toNanos() / 1_000 - 1);
        assertThat(expired).isEmpty();
        advance(1);
        assertThat(expired).containsExactly("lost");
        assertThat(lost.isDone()).isTrue();
      }
      advance(100);
      one.done = true;
    }
  }

  @Test
  void callAddedLateExpiresAtItsOwnDeadline() {
    long sent = scheduler.nanos();
    advance(20_000);
    var second = new Call("second");
    var overtaken = new Call("overtaken", sent);
    advance(4_999);
    assertThat(expired).isEmpty();
    advance(1);
    assertThat(expired).containsExactly("overtaken");
    advance(20_000);
    assertThat(expired).containsExactly("overtaken", "second");
    assertThat(List.of(overtaken, second)).allMatch(Call::isDone);
    assertThat(timersSet).as("scheduler, one of them in vain").isEqualTo(3);
  }

  @Test
  void exceptionOfOneCallDoesNotKeepOthersFromExpiring() {
    var one =
        new Call("one") {
          @Override
          public void onDeadline() {
            throw new IllegalStateException("cannot expire");
          }
        };
    advance(10_000);
    var another = new Call("another");
    advance(25_000);
    assertThat(expired).containsExactly("another");
    assertThat(another.isDone()).isTrue();
    assertThat(one.isDone()).isFalse();
  }
}
