package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Decision;
import dev.weir.Decision.Verdict;
import dev.weir.StoreFailure;
import dev.weir.StoreFailure.Effect;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who waits, who travels together, and that everybody is answered. */
@Timeout(20)
class LaneTest {
  private static final Decision YES = Decision.of(Verdict.ALLOWED, 1, 0, 0);

  private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
  private final List<List<Pending>> sent = new ArrayList<>();
  private final List<Runnable> returns = new ArrayList<>();
  private final List<List<Pending>> silent = new ArrayList<>();

  private final Lane.Sender sender =
      new Lane.Sender() {
        @Override
        public void send(List<Pending> batch, Runnable done) {
          sent.add(batch);
          returns.add(done);
        }

        @Override
        public void unanswered(List<Pending> batch) {
          silent.add(batch);
        }
      };

  @AfterEach
  void stop() {
    timer.shutdownNow();
  }

  private Lane lane(int waiting, int batch, int inFlight) {
    return new Lane(sender, waiting, batch, inFlight, timer);
  }

  private static Pending request(Duration deadline) {
    return new Pending(Operation.TAKE, List.of(), System.nanoTime() + deadline.toNanos());
  }

  private static Pending request() {
    return request(Duration.ofMinutes(1));
  }

  private void comesBack(int batch) {
    sent.get(batch).forEach(request -> request.complete(YES));
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
  void everybodyIsAnsweredByTheDeadline() throws Exception {
    Lane lane = lane(100, 10, 1);
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
    timer.submit(() -> {}).get();
    assertThat(silent).hasSize(1);
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
                batch.forEach(request -> request.fail(Effect.NONE, "not connected"));
                done.run();
              }

              @Override
              public void unanswered(List<Pending> batch) {}
            },
            10_000,
            1,
            1,
            timer);
    for (int i = 0; i < 1_000; i++) {
      lane.submit(request());
    }
    assertThat(failed).hasSize(1_000).doesNotHaveDuplicates();
  }

  @Test
  void aClosedLaneSendsNothingMore() {
    Lane lane = lane(100, 10, 1);
    lane.submit(request());
    Pending waiting = request();
    lane.submit(waiting);
    lane.close();
    assertThatThrownBy(waiting::join).hasMessage("the store is closed");
    Pending late = request();
    lane.submit(late);
    assertThatThrownBy(late::join).hasMessage("the store is closed");
    comesBack(0);
    assertThat(sent).hasSize(1);
  }
}
