package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Decision;
import dev.weir.Decision.Verdict;
import dev.weir.StoreFailure;
import dev.weir.operation.Operation;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Deadlines of a process that is stalled, on a clock moved by hand. */
class StallClockTest {
  private static final Decision YES = Decision.of(Verdict.ALLOWED, 1, 0, 0);
  private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);
  private static final long DEADLINE = 25 * MILLI;

  private final ManualTimer timer = new ManualTimer();
  private final Deque<Runnable> loop = new ArrayDeque<>();
  private final StallClock clock =
      new StallClock(List.of(loop::add), timer, this::isOutstanding, timer::nanos);
  private final List<List<Pending>> sent = new ArrayList<>();
  private final List<Runnable> back = new ArrayList<>();
  private int silent;
  private final Lane lane =
      new Lane(
          new Lane.Sender() {
            @Override
            public void send(List<Pending> batch, Runnable done) {
              sent.add(batch);
              back.add(done);
            }

            @Override
            public void silent() {
              silent++;
            }
          },
          100,
          100,
          1,
          Duration.ofSeconds(10),
          timer,
          clock);

  private boolean isOutstanding() {
    return !lane.isIdle();
  }

  private Pending submit() {
    Pending request =
        new Pending(Operation.TAKE, List.of(), clock.deadline(Duration.ofNanos(DEADLINE)));
    lane.submit(request);
    return request;
  }

  /** Time passes, and all threads run when they should. */
  private void run(int millis) {
    for (int i = 0; i < millis; i++) {
      timer.advance(MILLI);
      runLoop();
    }
  }

  private void runLoop() {
    while (!loop.isEmpty()) {
      loop.remove().run();
    }
    timer.advance(0);
  }

  @Test
  void aProcessThatRunsBlamesRedisAtTheDeadline() {
    Pending request = submit();
    run(24);
    assertThat(request).isNotDone();
    run(2);
    assertThatThrownBy(request::join)
        .isInstanceOf(StoreFailure.class)
        .hasMessage("Redis did not answer in time");
  }

  @Test
  void anAnswerThatArrivedWhileTheEventLoopWasStalledIsRead() {
    Pending request = submit();
    run(5);
    loop.add(() -> request.decided(YES)); // arrived, but the loop does not run
    timer.advance(200 * MILLI);
    assertThat(request).isNotDone();
    runLoop();
    assertThat(request.join()).isEqualTo(YES);
  }

  @Test
  void aStallOfTheEventLoopBeforeTheDeadlineDoesNotCount() {
    Pending request = submit();
    timer.advance(20 * MILLI); // the loop stands still, and sends late
    runLoop();
    run(20);
    assertThat(request).isNotDone();
    request.decided(YES);
    assertThat(request.join()).isEqualTo(YES);
  }

  @Test
  void aPauseOfTheWholeProcessDoesNotCount() {
    Pending request = submit();
    run(5);
    timer.skip(500 * MILLI); // garbage collection, or no processor
    run(10);
    assertThat(request).isNotDone();
    run(400);
    assertThat(request).isCompletedExceptionally();
  }

  @Test
  void forASecondAfterAStallRedisHasMoreTime() {
    timer.skip(7 * MILLI);
    clock.use();
    timer.skip(50 * MILLI); // the heartbeat was due, and is late
    runLoop();
    Pending busy = submit();
    run(190);
    assertThat(busy).isNotDone();
    run(20);
    assertThat(busy).isCompletedExceptionally();
    run(1_000);
    Pending idle = submit();
    run(30);
    assertThat(idle).isCompletedExceptionally();
  }

  @Test
  void aLoopThatIsBlockedForGoodDoesNotHoldUpDeadlines() {
    Pending request = submit();
    for (int i = 0; i < 2_200; i++) {
      timer.advance(MILLI);
    }
    assertThat(request).isCompletedExceptionally();
  }

  @Test
  void stallsThatAreExpectedGiveMoreTimeAsWell() {
    clock.expectStalls(Duration.ofSeconds(10));
    Pending request = submit();
    run(199);
    assertThat(request).isNotDone();
    run(2);
    assertThat(request).isCompletedExceptionally();
  }

  @Test
  void nothingTicksWhileNothingIsOutstanding() {
    Pending request = submit();
    sent.get(0).forEach(one -> one.decided(YES));
    back.get(0).run();
    run(60);
    assertThat(request).isDone();
    assertThat(timer.scheduled()).isZero();
  }

  @Test
  void aStallIsSeenHoweverLongARequestHasBeenOutstanding() {
    Pending request = submit();
    run(20);
    timer.skip(100 * MILLI);
    run(10);
    assertThat(request).as("it ran for 30 ms, and has more time after a stall").isNotDone();
    run(200);
    assertThat(request).isCompletedExceptionally();
  }

  @Test
  void aLoopThatIsAlwaysLateHoldsUpADeadlineForASecondAtMost() {
    Pending request = submit();
    for (int i = 0; i < 150 && !request.isDone(); i++) {
      timer.advance(20 * MILLI); // each heartbeat is late
      runLoop();
    }
    assertThat(request).isCompletedExceptionally();
    assertThat(timer.nanos()).isLessThan(DEADLINE + 1_100 * MILLI);
  }

  @Test
  void whoComesAfterALongStallHasNotItsTime() {
    clock.use();
    timer.stall(60_000 * MILLI); // a minute, of which no thread has heard yet
    Pending request = submit();
    timer.advance(0);
    run(1_100);
    assertThat(request).isCompletedExceptionally();
  }

  @Test
  void aDeadlineThatIsShorterThanThoseBeforeItIsKept() {
    Pending longer = new Pending(Operation.TAKE, List.of(), clock.deadline(Duration.ofSeconds(1)));
    lane.submit(longer);
    Pending shorter = submit();
    run(30);
    assertThat(shorter).isCompletedExceptionally();
    assertThat(longer).isNotDone();
  }

  @Test
  void aBatchWhoseCallersHaveAllLeftIsGivenUp() {
    submit().cancel(true);
    run(25 + 10_000 + 10);
    assertThat(silent).isEqualTo(1);
    var unused = submit();
    assertThat(sent).as("the way is free").hasSize(2);
  }

  @Test
  void whatIsGivenBackOrChargedIsSentThoughItsCallerHasLeft() {
    var unused = submit();
    for (Operation operation : Operation.values()) {
      Pending left = new Pending(operation, List.of(), clock.deadline(Duration.ofSeconds(1)));
      lane.submit(left);
      left.cancel(true);
    }
    back.get(0).run();
    assertThat(sent.get(1))
        .extracting(request -> request.operation)
        .containsExactly(Operation.REFUND, Operation.CHARGE, Operation.FORGET);
  }

  @Test
  void whoeverWaitsOnGetsTheAnswerThatIsLate() {
    Pending request = submit();
    run(30);
    assertThat(request).isCompletedExceptionally();
    StoreFailure failure = (StoreFailure) request.handle((done, thrown) -> thrown).join();
    var late = failure.late().orElseThrow().stage().toCompletableFuture();
    assertThat(late).isNotDone();
    sent.get(0).forEach(one -> one.decided(YES));
    assertThat(late.join()).isEqualTo(YES);
  }
}
