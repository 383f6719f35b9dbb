package dev.weir.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.ManualTicker;
import dev.weir.testkit.ManualTimers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DeadlinesTest {
  private static final Duration DEADLINE = Duration.ofMillis(25);

  private final ManualTimers timers = new ManualTimers(ManualTicker.at(Duration.ofDays(20_000)));
  private final List<String> late = new ArrayList<>();
  private int set;
  private final Deadlines deadlines =
      new Deadlines(
          new Timers() {
            @Override
            public long nanos() {
              return timers.nanos();
            }

            @Override
            public void after(long nanos, Runnable work) {
              set++;
              timers.after(nanos, work);
            }
          });

  private class One implements Deadlines.Waiting {
    private final String name;
    private final long deadlineNanos;
    private boolean done;

    One(String name) {
      this(name, timers.nanos());
    }

    One(String name, long askedNanos) {
      this.name = name;
      this.deadlineNanos = askedNanos + DEADLINE.toNanos();
      deadlines.watch(this);
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
    public void late() {
      done = true;
      late.add(name);
    }
  }

  private void advance(long micros) {
    timers.advance(Duration.ofNanos(1_000 * micros));
  }

  @Test
  void whatIsAnsweredInTimeCostsNoTimerOfItsOwn() {
    for (int i = 0; i < 10_000; i++) {
      One one = new One("answered " + i);
      advance(100);
      one.done = true;
    }
    assertThat(set).as("timers in a second of 25 ms each").isBetween(40, 42);
    assertThat(late).isEmpty();
  }

  @Test
  void whoIsNotAnsweredIsToldInTimeAmongManyWhoAre() {
    for (int i = 0; i < 1_000; i++) {
      One one = new One("answered " + i);
      if (i == 333) {
        One lost = new One("lost");
        one.done = true;
        advance(DEADLINE.toNanos() / 1_000 - 1);
        assertThat(late).isEmpty();
        advance(1);
        assertThat(late).containsExactly("lost");
        assertThat(lost.isDone()).isTrue();
      }
      advance(100);
      one.done = true;
    }
  }

  @Test
  void whoWasOvertakenByOthersIsToldInTime() {
    long asked = timers.nanos();
    advance(20_000);
    var second = new One("second");
    var overtaken = new One("overtaken", asked);
    advance(4_999);
    assertThat(late).isEmpty();
    advance(1);
    assertThat(late).containsExactly("overtaken");
    advance(20_000);
    assertThat(late).containsExactly("overtaken", "second");
    assertThat(List.of(overtaken, second)).allMatch(One::isDone);
    assertThat(set).as("timers, one of them in vain").isEqualTo(3);
  }

  @Test
  void whoCannotBeToldKeepsNobodyElseWaiting() {
    var one =
        new One("one") {
          @Override
          public void late() {
            throw new IllegalStateException("cannot be told");
          }
        };
    advance(10_000);
    var another = new One("another");
    advance(25_000);
    assertThat(late).containsExactly("another");
    assertThat(another.isDone()).isTrue();
    assertThat(one.isDone()).isFalse();
  }
}
