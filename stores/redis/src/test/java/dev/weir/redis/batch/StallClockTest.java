package dev.weir.redis.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Decision;
import dev.weir.Decision.Verdict;
import dev.weir.Operation;
import dev.weir.StoreFailure;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Deadlines of a stalled process, on a manual clock. */
class StallClockTest {
  private static final Decision ALLOWED = Decision.of(Verdict.ALLOWED, 1, 0, 0);
  private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);
  private static final long DEADLINE = 25 * MILLI;

  private final ManualTimer timer = new ManualTimer();
  private final Deque<Runnable> eventLoop = new ArrayDeque<>();
  private final StallClock clock =
      new StallClock(List.of(eventLoop::add), timer, this::isOutstanding, timer::nanos);
  private final List<List<PendingRequest>> sent = new ArrayList<>();
  private final List<Runnable> returns = new ArrayList<>();
  private int unresponsive;
  private final Lane lane =
      new Lane(
          new Lane.Sender() {
            @Override
            public void send(List<PendingRequest> batch, Runnable done) {
              sent.add(batch);
              returns.add(done);
            }

            @Override
            public void onUnresponsive() {
              unresponsive++;
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

  private PendingRequest submit() {
    PendingRequest request =
        new PendingRequest(Operation.TAKE, List.of(), clock.deadline(Duration.ofNanos(DEADLINE)));
    lane.submit(request);
    return request;
  }

  /** Advances the clock while all threads run in time. */
  private void run(int millis) {
    for (int i = 0; i < millis; i++) {
      timer.advance(MILLI);
      runLoop();
    }
  }

  private void runLoop() {
    while (!eventLoop.isEmpty()) {
      eventLoop.remove().run();
    }
    timer.advance(0);
  }

  @Test
  void requestFailsAtTheDeadlineIfTheProcessIsNotStalled() {
    PendingRequest request = submit();
    run(24);
    assertThat(request).isNotDone();
    run(2);
    assertThatThrownBy(request::join)
        .isInstanceOf(StoreFailure.class)
        .hasMessage("Redis did not answer in time");
  }

  @Test
  void replyThatArrivedDuringAStallIsRead() {
    PendingRequest request = submit();
    run(5);
    eventLoop.add(() -> request.onDecision(ALLOWED)); // arrived, but the event loop does not run
    timer.advance(200 * MILLI);
    assertThat(request).isNotDone();
    runLoop();
    assertThat(request.join()).isEqualTo(ALLOWED);
  }

  @Test
  void stallOfTheEventLoopDoesNotCount() {
    PendingRequest request = submit();
    timer.advance(20 * MILLI); // the event loop is stalled, and sends late
    runLoop();
    run(20);
    assertThat(request).isNotDone();
    request.onDecision(ALLOWED);
    assertThat(request.join()).isEqualTo(ALLOWED);
  }

  @Test
  void pauseOfTheProcessDoesNotCount() {
    PendingRequest request = submit();
    run(5);
    timer.skip(500 * MILLI); // garbage collection, or no processor
    run(10);
    assertThat(request).isNotDone();
    run(400);
    assertThat(request).isCompletedExceptionally();
  }

  @Test
  void deadlineIsLongerForASecondAfterAStall() {
    timer.skip(7 * MILLI);
    clock.onRequest();
    timer.skip(50 * MILLI); // the heartbeat was due, and is late
    runLoop();
    PendingRequest busy = submit();
    run(190);
    assertThat(busy).isNotDone();
    run(20);
    assertThat(busy).isCompletedExceptionally();
    run(1_000);
    PendingRequest idle = submit();
    run(30);
    assertThat(idle).isCompletedExceptionally();
  }

  @Test
  void permanentlyBlockedEventLoopDoesNotDelayDeadlinesForever() {
    PendingRequest request = submit();
    for (int i = 0; i < 2_200; i++) {
      timer.advance(MILLI);
    }
    assertThat(request).isCompletedExceptionally();
  }

  @Test
  void deadlineIsLongerWhenStallsAreExpected() {
    clock.expectStalls(Duration.ofSeconds(10));
    PendingRequest request = submit();
    run(199);
    assertThat(request).isNotDone();
    run(2);
    assertThat(request).isCompletedExceptionally();
  }

  @Test
  void noTimerRunsWithoutOutstandingRequests() {
    PendingRequest request = submit();
    sent.get(0).forEach(one -> one.onDecision(ALLOWED));
    returns.get(0).run();
    run(60);
    assertThat(request).isDone();
    assertThat(timer.scheduled()).isZero();
  }

  @Test
  void stallIsNoticedLateInARequest() {
    PendingRequest request = submit();
    run(20);
    timer.skip(100 * MILLI);
    run(10);
    assertThat(request)
        .as("it ran for 30 ms, and the deadline is longer after a stall")
        .isNotDone();
    run(200);
    assertThat(request).isCompletedExceptionally();
  }

  @Test
  void repeatedStallsDelayADeadlineByASecondAtMost() {
    PendingRequest request = submit();
    for (int i = 0; i < 150 && !request.isDone(); i++) {
      timer.advance(20 * MILLI); // each heartbeat is late
      runLoop();
    }
    assertThat(request).isCompletedExceptionally();
    assertThat(timer.nanos()).isLessThan(DEADLINE + 1_100 * MILLI);
  }

  @Test
  void requestAfterALongStallDoesNotGetItsTime() {
    clock.onRequest();
    timer.stall(60_000 * MILLI); // a minute that no thread has noticed yet
    PendingRequest request = submit();
    timer.advance(0);
    run(1_100);
    assertThat(request).isCompletedExceptionally();
  }

  @Test
  void shorterDeadlineBehindALongerOneIsKept() {
    PendingRequest longer =
        new PendingRequest(Operation.TAKE, List.of(), clock.deadline(Duration.ofSeconds(1)));
    lane.submit(longer);
    PendingRequest shorter = submit();
    run(30);
    assertThat(shorter).isCompletedExceptionally();
    assertThat(longer).isNotDone();
  }

  @Test
  void batchIsGivenUpThoughAllItsCallersCancelled() {
    submit().cancel(true);
    run(25 + 10_000 + 10);
    assertThat(unresponsive).isEqualTo(1);
    var unused = submit();
    assertThat(sent).as("the next batch is sent").hasSize(2);
  }

  @Test
  void cancelledRefundChargeAndResetAreStillSent() {
    var unused = submit();
    for (Operation operation : Operation.values()) {
      PendingRequest cancelled =
          new PendingRequest(operation, List.of(), clock.deadline(Duration.ofSeconds(1)));
      lane.submit(cancelled);
      cancelled.cancel(true);
    }
    returns.get(0).run();
    assertThat(sent.get(1))
        .extracting(request -> request.operation)
        .containsExactly(Operation.REFUND, Operation.CHARGE, Operation.RESET);
  }

  @Test
  void lateAnswerIsDeliveredToACallerThatWaits() {
    PendingRequest request = submit();
    run(30);
    assertThat(request).isCompletedExceptionally();
    StoreFailure failure = (StoreFailure) request.handle((done, thrown) -> thrown).join();
    var late = failure.late().orElseThrow().stage().toCompletableFuture();
    assertThat(late).isNotDone();
    sent.get(0).forEach(one -> one.onDecision(ALLOWED));
    assertThat(late.join()).isEqualTo(ALLOWED);
  }
}
