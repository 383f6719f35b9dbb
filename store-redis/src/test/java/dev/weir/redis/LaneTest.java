package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Decision.Verdict;
import dev.weir.Limit;
import dev.weir.LimitKey;
import dev.weir.StoreFailure;
import dev.weir.StoreFailure.Effect;
import dev.weir.operation.Operation;
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

/** Who waits, who travels together, and that everybody is answered. */
@Timeout(120)
class LaneTest {
  private static final Duration DEADLINE = Duration.ofMillis(1);
  private static final Duration PATIENCE = Duration.ofMillis(100);
  private static final Decision YES = Decision.of(Verdict.ALLOWED, 1, 0, 0);

  private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
  private final StallClock clock = new StallClock(List.of(), timer, () -> false);
  private final List<List<Pending>> sent = new CopyOnWriteArrayList<>();
  private final List<Runnable> returns = new CopyOnWriteArrayList<>();
  private final AtomicInteger silent = new AtomicInteger();

  private final Lane.Sender sender =
      new Lane.Sender() {
        @Override
        public void send(List<Pending> batch, Runnable done) {
          sent.add(batch);
          returns.add(done);
        }

        @Override
        public void silent() {
          silent.incrementAndGet();
        }
      };

  @AfterEach
  void stop() {
    timer.shutdownNow();
  }

  private Lane lane(int waiting, int batch, int inFlight) {
    return new Lane(sender, waiting, batch, inFlight, PATIENCE, timer, clock);
  }

  private Pending request(Duration deadline) {
    return new Pending(Operation.TAKE, List.of(), clock.deadline(deadline, DEADLINE));
  }

  private Pending request() {
    return request(Duration.ofMinutes(1));
  }

  private void comesBack(int batch) {
    sent.get(batch).forEach(request -> request.decided(YES));
    returns.get(batch).run();
  }

  @Test
  void theFirstGoesAtOnceAndTheOthersTogetherWhenItIsBack() {
    Lane lane = lane(100, 10, 1);
    List<Pending> requests = new ArrayList<>();
    for (int i = 0; i < 15; i++) {
      requests.add(request());
      lane.submit(requests.get(i));
    }
    assertThat(sent).containsExactly(requests.subList(0, 1));
    comesBack(0);
    assertThat(sent.get(1)).isEqualTo(requests.subList(1, 11));
    comesBack(1);
    assertThat(sent.get(2)).isEqualTo(requests.subList(11, 15));
    comesBack(2);
    assertThat(sent).hasSize(3);
    assertThat(requests).allMatch(Pending::isDone);
    returns.get(2).run(); // twice does no harm
    lane.submit(request());
    lane.submit(request());
    assertThat(sent).hasSize(4);
  }

  @Test
  void noBatchHasMoreClaimsThanAScriptCanName() {
    Lane lane = lane(100, 10, 1);
    Claim claim = Claim.of(Limit.fixedWindow(1, Duration.ofSeconds(1)), new LimitKey(1, 1));
    List<Claim> most = Collections.nCopies(Claim.MAX_CLAIMS, claim);
    for (int i = 0; i < 7; i++) {
      lane.submit(new Pending(Operation.TAKE, most, clock.deadline(Duration.ofMinutes(1))));
    }
    comesBack(0);
    comesBack(1);
    assertThat(sent).extracting(List::size).containsExactly(1, 4, 2);
  }

  @Test
  void moreThanOneMayBeOut() {
    Lane lane = lane(100, 10, 2);
    for (int i = 0; i < 5; i++) {
      lane.submit(request());
    }
    assertThat(sent).extracting(List::size).containsExactly(1, 1);
    comesBack(1);
    assertThat(sent).extracting(List::size).containsExactly(1, 1, 3);
  }

  @Test
  void whoFindsTheQueueFullIsToldAtOnce() {
    Lane lane = lane(2, 10, 1);
    lane.submit(request());
    lane.submit(request());
    lane.submit(request());
    Pending late = request();
    lane.submit(late);
    assertThatThrownBy(late::join)
        .isInstanceOfSatisfying(
            StoreFailure.class, failure -> assertThat(failure.effect()).isEqualTo(Effect.NONE))
        .hasMessage("too many requests wait for Redis: 2");
  }

  @Test
  void whoComesTooLateIsToldThoughNobodyElseComes() throws Exception {
    Lane lane = lane(100, 10, 1);
    Pending late = request(Duration.ofMillis(-5));
    lane.submit(late);
    assertThatThrownBy(() -> late.get(60, TimeUnit.SECONDS))
        .hasMessageContaining("Redis did not answer in time");
    while (silent.get() == 0) {
      Thread.sleep(1); // and the way is given up
    }
  }

  @Test
  void whoseAnswerHasComeButIsNotGivenIsToldByTheDeadline() {
    Lane lane = lane(100, 10, 1);
    Pending request = request(Duration.ofMillis(30));
    lane.submit(request);
    returns.get(0).run();
    assertThatThrownBy(() -> request.get(60, TimeUnit.SECONDS))
        .hasMessageContaining("Redis did not answer in time");
    lane.submit(request());
    assertThat(sent).as("the way was free").hasSize(2);
    assertThat(silent).hasValue(0);
  }

  @Test
  void whatIsAnsweredIsForgottenLongBeforeTheDeadline() {
    Lane lane = lane(100, 10, 1);
    for (int i = 0; i < 1_000; i++) {
      lane.submit(request());
      returns.get(i).run();
      assertThat(lane.isIdle()).as("its answer is not given yet").isFalse();
      sent.get(i).forEach(request -> request.decided(YES));
    }
    assertThat(lane.remembered()).isLessThan(10);
    assertThat(lane.isIdle()).isTrue();
  }

  @Test
  void everybodyIsAnsweredByTheDeadline() throws Exception {
    Duration patience = Duration.ofSeconds(1); // so that a busy machine brings the batch back in it
    Lane lane = new Lane(sender, 100, 10, 1, patience, timer, clock);
    Pending out = request(Duration.ofMillis(30));
    Pending waiting = request(Duration.ofMillis(30));
    Pending patient = request();
    long start = System.nanoTime();
    lane.submit(out);
    lane.submit(waiting);
    lane.submit(patient);
    assertThatThrownBy(out::join)
        .isInstanceOfSatisfying(
            StoreFailure.class, failure -> assertThat(failure.effect()).isEqualTo(Effect.UNKNOWN));
    assertThatThrownBy(waiting::join)
        .isInstanceOfSatisfying(
            StoreFailure.class, failure -> assertThat(failure.effect()).isEqualTo(Effect.NONE));
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(Duration.ofMillis(29));
    assertThat(patient.isDone()).isFalse();
    comesBack(0); // late, and of no use to anybody any more
    assertThat(sent.get(1)).containsExactly(patient);
    comesBack(1);
    assertThat(patient.join()).isEqualTo(YES);
    timer.schedule(() -> {}, patience.toMillis() + 50, TimeUnit.MILLISECONDS).get();
    assertThat(silent).as("late is not silent").hasValue(0);
  }

  @Test
  void aBatchThatNeverComesBackIsGivenUp() {
    Lane lane = lane(100, 10, 1);
    lane.submit(request(Duration.ofMillis(10)));
    Pending patient = request();
    lane.submit(patient);
    while (silent.get() == 0) {
      Thread.onSpinWait();
    }
    assertThat(lane.isIdle()).isFalse();
    while (sent.size() < 2) {
      Thread.onSpinWait();
    }
    assertThat(sent.get(1)).containsExactly(patient);
    comesBack(0); // after all, and of no use to anybody
    assertThat(sent).hasSize(2);
    comesBack(1);
    assertThat(patient.join()).isEqualTo(YES);
    assertThat(lane.isIdle()).isTrue();
    assertThat(silent).hasValue(1);
  }

  @Test
  void whatCannotBeSentFailsAndBlocksNobody() {
    Lane lane =
        new Lane(
            new Lane.Sender() {
              @Override
              public void send(List<Pending> batch, Runnable done) {
                throw new IllegalStateException("no");
              }

              @Override
              public void silent() {}
            },
            10,
            1,
            1,
            PATIENCE,
            timer,
            clock);
    for (int i = 0; i < 2; i++) {
      Pending request = request();
      lane.submit(request);
      assertThatThrownBy(request::join)
          .isInstanceOf(StoreFailure.class)
          .hasMessage("cannot send: java.lang.IllegalStateException: no");
    }
    assertThat(lane.isIdle()).isTrue();
  }

  @Test
  void aThousandThatFailAtOnceAreEachAnsweredOnce() {
    List<Pending> failed = new ArrayList<>();
    Lane lane =
        new Lane(
            new Lane.Sender() {
              @Override
              public void send(List<Pending> batch, Runnable done) {
                failed.addAll(batch);
                batch.forEach(request -> request.givenUp(Effect.NONE, "not connected"));
                done.run();
              }

              @Override
              public void silent() {}
            },
            10_000,
            1,
            1,
            PATIENCE,
            timer,
            clock);
    for (int i = 0; i < 1_000; i++) {
      lane.submit(request());
    }
    assertThat(failed).hasSize(1_000).doesNotHaveDuplicates();
  }

  @Test
  void aClosedLaneSendsNothingMore() {
    Lane lane = lane(100, 10, 1);
    Pending out = request();
    lane.submit(out);
    Pending waiting = request();
    lane.submit(waiting);
    lane.close();
    assertThatThrownBy(out::join)
        .isInstanceOfSatisfying(
            StoreFailure.class, failure -> assertThat(failure.effect()).isEqualTo(Effect.UNKNOWN));
    assertThatThrownBy(waiting::join).hasMessage("the store is closed");
    Pending late = request();
    lane.submit(late);
    assertThatThrownBy(late::join).hasMessage("the store is closed");
    comesBack(0);
    assertThat(sent).hasSize(1);
  }
}
