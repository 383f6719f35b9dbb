package dev.weir.redis.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Decision.Verdict;
import dev.weir.Limit;
import dev.weir.LimitKey;
import dev.weir.Operation;
import dev.weir.StoreFailure;
import dev.weir.StoreFailure.Effect;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Batching, queueing and deadlines of a lane. */
@Timeout(120)
class LaneTest {
  private static final Duration DEADLINE = Duration.ofMillis(1);
  private static final Duration LATE_REPLY_TIMEOUT = Duration.ofMillis(100);
  private static final Decision ALLOWED = Decision.of(Verdict.ALLOWED, 1, 0, 0);

  private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
  private final StallClock clock = new StallClock(List.of(), timer, () -> false);
  private final List<List<PendingRequest>> sent = new CopyOnWriteArrayList<>();
  private final List<Runnable> returns = new CopyOnWriteArrayList<>();
  private final AtomicInteger unresponsive = new AtomicInteger();

  private final Lane.Sender sender =
      new Lane.Sender() {
        @Override
        public void send(List<PendingRequest> batch, Runnable done) {
          sent.add(batch);
          returns.add(done);
        }

        @Override
        public void onUnresponsive() {
          unresponsive.incrementAndGet();
        }
      };

  @AfterEach
  void stop() {
    timer.shutdownNow();
  }

  private Lane lane(int waiting, int batch, int inFlight) {
    return new Lane(sender, waiting, batch, inFlight, LATE_REPLY_TIMEOUT, timer, clock);
  }

  private PendingRequest request(Duration deadline) {
    return new PendingRequest(Operation.TAKE, List.of(), clock.deadline(deadline, DEADLINE));
  }

  private PendingRequest request() {
    return request(Duration.ofMinutes(1));
  }

  private void completeBatch(int batch) {
    sent.get(batch).forEach(request -> request.onDecision(ALLOWED));
    returns.get(batch).run();
  }

  @Test
  void firstRequestIsSentAtOnceAndOthersInABatchAfterIt() {
    Lane lane = lane(100, 10, 1);
    List<PendingRequest> requests = new ArrayList<>();
    for (int i = 0; i < 15; i++) {
      requests.add(request());
      lane.submit(requests.get(i));
    }
    assertThat(sent).containsExactly(requests.subList(0, 1));
    completeBatch(0);
    assertThat(sent.get(1)).isEqualTo(requests.subList(1, 11));
    completeBatch(1);
    assertThat(sent.get(2)).isEqualTo(requests.subList(11, 15));
    completeBatch(2);
    assertThat(sent).hasSize(3);
    assertThat(requests).allMatch(PendingRequest::isDone);
    returns.get(2).run(); // a second return has no effect
    lane.submit(request());
    lane.submit(request());
    assertThat(sent).hasSize(4);
  }

  @Test
  void batchHasNoMoreClaimsThanAScriptCanName() {
    Lane lane = lane(100, 10, 1);
    Claim claim = Claim.of(Limit.fixedWindow(1, Duration.ofSeconds(1)), new LimitKey(1, 1));
    List<Claim> many = Collections.nCopies(Claim.MAX_CLAIMS, claim);
    for (int i = 0; i < 7; i++) {
      lane.submit(new PendingRequest(Operation.TAKE, many, clock.deadline(Duration.ofMinutes(1))));
    }
    completeBatch(0);
    completeBatch(1);
    assertThat(sent).extracting(List::size).containsExactly(1, 4, 2);
  }

  @Test
  void severalBatchesMayBeInFlight() {
    Lane lane = lane(100, 10, 2);
    for (int i = 0; i < 5; i++) {
      lane.submit(request());
    }
    assertThat(sent).extracting(List::size).containsExactly(1, 1);
    completeBatch(1);
    assertThat(sent).extracting(List::size).containsExactly(1, 1, 3);
  }

  @Test
  void requestToAFullQueueFailsAtOnce() {
    Lane lane = lane(2, 10, 1);
    lane.submit(request());
    lane.submit(request());
    lane.submit(request());
    PendingRequest late = request();
    lane.submit(late);
    assertThatThrownBy(late::join)
        .isInstanceOfSatisfying(
            StoreFailure.class, failure -> assertThat(failure.effect()).isEqualTo(Effect.NONE))
        .hasMessage("too many requests wait for Redis: 2");
  }

  @Test
  void expiredRequestFailsWithoutOtherRequests() throws Exception {
    Lane lane = lane(100, 10, 1);
    PendingRequest late = request(Duration.ofMillis(-5));
    lane.submit(late);
    assertThatThrownBy(() -> late.get(60, TimeUnit.SECONDS))
        .hasMessageContaining("Redis did not answer in time");
    while (unresponsive.get() == 0) {
      Thread.sleep(1); // and the batch is given up
    }
  }

  @Test
  void requestWhoseReplyIsNotCompletedFailsAtTheDeadline() {
    Lane lane = lane(100, 10, 1);
    PendingRequest request = request(Duration.ofMillis(30));
    lane.submit(request);
    returns.get(0).run();
    assertThatThrownBy(() -> request.get(60, TimeUnit.SECONDS))
        .hasMessageContaining("Redis did not answer in time");
    lane.submit(request());
    assertThat(sent).as("the next batch is sent").hasSize(2);
    assertThat(unresponsive).hasValue(0);
  }

  @Test
  void completedBatchesAreNotTrackedUntilTheDeadline() {
    Lane lane = lane(100, 10, 1);
    for (int i = 0; i < 1_000; i++) {
      lane.submit(request());
      returns.get(i).run();
      assertThat(lane.isIdle()).as("its request is not completed yet").isFalse();
      sent.get(i).forEach(request -> request.onDecision(ALLOWED));
    }
    assertThat(lane.trackedBatches()).isLessThan(10);
    assertThat(lane.isIdle()).isTrue();
  }

  @Test
  void everyRequestIsAnsweredByTheDeadline() throws Exception {
    Duration lateReplyTimeout = Duration.ofSeconds(1); // enough for a busy machine
    Lane lane = new Lane(sender, 100, 10, 1, lateReplyTimeout, timer, clock);
    PendingRequest sentRequest = request(Duration.ofMillis(30));
    PendingRequest waiting = request(Duration.ofMillis(30));
    PendingRequest patient = request();
    long start = System.nanoTime();
    lane.submit(sentRequest);
    lane.submit(waiting);
    lane.submit(patient);
    assertThatThrownBy(sentRequest::join)
        .isInstanceOfSatisfying(
            StoreFailure.class, failure -> assertThat(failure.effect()).isEqualTo(Effect.UNKNOWN));
    assertThatThrownBy(waiting::join)
        .isInstanceOfSatisfying(
            StoreFailure.class, failure -> assertThat(failure.effect()).isEqualTo(Effect.NONE));
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(Duration.ofMillis(29));
    assertThat(patient.isDone()).isFalse();
    completeBatch(0); // late: its requests have failed
    assertThat(sent.get(1)).containsExactly(patient);
    completeBatch(1);
    assertThat(patient.join()).isEqualTo(ALLOWED);
    timer.schedule(() -> {}, lateReplyTimeout.toMillis() + 50, TimeUnit.MILLISECONDS).get();
    assertThat(unresponsive).as("late is not unresponsive").hasValue(0);
  }

  @Test
  void batchThatNeverReturnsIsGivenUp() {
    Lane lane = lane(100, 10, 1);
    lane.submit(request(Duration.ofMillis(10)));
    PendingRequest patient = request();
    lane.submit(patient);
    while (unresponsive.get() == 0) {
      Thread.onSpinWait();
    }
    assertThat(lane.isIdle()).isFalse();
    while (sent.size() < 2) {
      Thread.onSpinWait();
    }
    assertThat(sent.get(1)).containsExactly(patient);
    completeBatch(0); // late: its requests have failed
    assertThat(sent).hasSize(2);
    completeBatch(1);
    assertThat(patient.join()).isEqualTo(ALLOWED);
    assertThat(lane.isIdle()).isTrue();
    assertThat(unresponsive).hasValue(1);
  }

  @Test
  void sendErrorFailsTheRequestAndNotTheLane() {
    Lane lane =
        new Lane(
            new Lane.Sender() {
              @Override
              public void send(List<PendingRequest> batch, Runnable done) {
                throw new IllegalStateException("no");
              }

              @Override
              public void onUnresponsive() {}
            },
            10,
            1,
            1,
            LATE_REPLY_TIMEOUT,
            timer,
            clock);
    for (int i = 0; i < 2; i++) {
      PendingRequest request = request();
      lane.submit(request);
      assertThatThrownBy(request::join)
          .isInstanceOf(StoreFailure.class)
          .hasMessage("cannot send: java.lang.IllegalStateException: no");
    }
    assertThat(lane.isIdle()).isTrue();
  }

  @Test
  void requestsThatFailAtOnceAreEachAnsweredOnce() {
    List<PendingRequest> failed = new ArrayList<>();
    Lane lane =
        new Lane(
            new Lane.Sender() {
              @Override
              public void send(List<PendingRequest> batch, Runnable done) {
                failed.addAll(batch);
                batch.forEach(request -> request.abandon(Effect.NONE, "not connected"));
                done.run();
              }

              @Override
              public void onUnresponsive() {}
            },
            10_000,
            1,
            1,
            LATE_REPLY_TIMEOUT,
            timer,
            clock);
    for (int i = 0; i < 1_000; i++) {
      lane.submit(request());
    }
    assertThat(failed).hasSize(1_000).doesNotHaveDuplicates();
  }

  @Test
  void closedLaneFailsAllRequests() {
    Lane lane = lane(100, 10, 1);
    PendingRequest sentRequest = request();
    lane.submit(sentRequest);
    PendingRequest waiting = request();
    lane.submit(waiting);
    lane.close();
    assertThatThrownBy(sentRequest::join)
        .isInstanceOfSatisfying(
            StoreFailure.class, failure -> assertThat(failure.effect()).isEqualTo(Effect.UNKNOWN));
    assertThatThrownBy(waiting::join).hasMessage("the store is closed");
    PendingRequest late = request();
    lane.submit(late);
    assertThatThrownBy(late::join).hasMessage("the store is closed");
    completeBatch(0);
    assertThat(sent).hasSize(1);
  }
}
