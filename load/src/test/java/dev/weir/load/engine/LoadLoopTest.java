package dev.weir.load.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.load.arrival.ClosedLoop;
import dev.weir.load.arrival.OpenLoop;
import dev.weir.load.arrival.Pace;
import dev.weir.load.measure.LoadResult;
import dev.weir.load.measure.Outcome;
import dev.weir.load.measure.Recorder;
import dev.weir.load.traffic.Mix;
import dev.weir.load.traffic.RequestSpec;
import dev.weir.load.traffic.Traffic;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Timelines on a manual clock, with answers that the test gives. */
class LoadLoopTest {
  private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);
  private static final Traffic TRAFFIC =
      Mix.of(RequestSpec.get("/")).traffic("h", new SplittableRandom(1));

  private long now;
  private final Deque<Exchange> sent = new ArrayDeque<>();
  private final List<Exchange> abandoned = new ArrayList<>();

  private final Transport transport =
      new Transport() {
        @Override
        public void send(Exchange exchange) {
          sent.add(exchange);
        }

        @Override
        public void abandon(Exchange exchange) {
          abandoned.add(exchange);
          sent.remove(exchange);
        }
      };

  private LoadLoop loop(Pace pace, long timeoutMillis, int maxInFlight) {
    LoadLoop.Limits limits = new LoadLoop.Limits(1_000 * MILLI, timeoutMillis * MILLI, maxInFlight);
    Recorder recorder = new Recorder(second -> {});
    return new LoadLoop(pace, TRAFFIC, transport, limits, recorder, () -> now);
  }

  private void answerAll(int status) {
    while (!sent.isEmpty()) {
      sent.remove().onAnswer(status, false);
    }
  }

  @Test
  void latencyCountsFromTheTimeARequestWasDueEvenIfItIsSentLate() {
    LoadLoop loop = loop(OpenLoop.constant(10, 450 * MILLI), 10_000, 100);
    now = 400 * MILLI; // a stall: the four requests until now are sent only here
    assertThat(loop.turn()).as("the first deadline").isEqualTo(10_100 * MILLI);
    assertThat(sent).hasSize(4);
    now = 410 * MILLI;
    answerAll(200);
    LoadResult result = loop.finish();
    assertThat(result.admitted().summary().maxMicros()).isBetween(310_000L, 310_500L);
    assertThat(result.admitted().summary().p50Micros()).isBetween(110_000L, 110_500L);
    assertThat(result.sendDelay().maxMicros()).isBetween(300_000L, 300_500L);
  }

  @Test
  void requestsBeyondTheBoundAreCountedAsNotSent() {
    LoadLoop loop = loop(OpenLoop.constant(10, 1_001 * MILLI), 10_000, 3);
    now = 1_000 * MILLI;
    var unused = loop.turn();
    assertThat(sent).hasSize(3);
    answerAll(200);
    LoadResult.Counts counts = loop.finish().counts();
    assertThat(counts.offered()).isEqualTo(10);
    assertThat(counts.of(Outcome.OK)).isEqualTo(3);
    assertThat(counts.of(Outcome.NOT_SENT)).isEqualTo(7);
    assertThat(counts.failures()).isEqualTo(7);
    assertThat(loop.isOver()).isTrue();
  }

  @Test
  void clientsGiveUpInTimeAndTheirConnectionsAreDropped() {
    LoadLoop loop = loop(OpenLoop.constant(10, 250 * MILLI), 50, 100);
    now = 100 * MILLI;
    assertThat(loop.turn()).isEqualTo(150 * MILLI);
    now = 150 * MILLI;
    assertThat(loop.turn()).as("the next arrival").isEqualTo(200 * MILLI);
    assertThat(abandoned).hasSize(1);
    now = 200 * MILLI;
    var unused = loop.turn();
    answerAll(429);
    LoadResult result = loop.finish();
    assertThat(result.counts().of(Outcome.TIMEOUT)).isEqualTo(1);
    assertThat(result.counts().of(Outcome.LIMITED)).isEqualTo(1);
    assertThat(result.counts().admitted()).isEqualTo(1);
    assertThat(result.admitted().summary().count()).as("a timeout has a latency").isEqualTo(1);
    assertThat(result.counts().statuses()).containsOnlyKeys(429);
  }

  @Test
  void everyRequestEndsOnceWhateverHappens() {
    SplittableRandom random = new SplittableRandom(3);
    LoadLoop loop = loop(OpenLoop.poisson(1_000, 1_000 * MILLI, random), 20, 10);
    while (!loop.isOver()) {
      now += random.nextLong(5 * MILLI);
      var unused = loop.turn();
      while (!sent.isEmpty() && random.nextInt(4) > 0) {
        Exchange exchange = random.nextBoolean() ? sent.removeFirst() : sent.removeLast();
        if (random.nextInt(5) == 0) {
          exchange.onFailure(Outcome.DISCONNECTED);
        } else {
          exchange.onAnswer(random.nextBoolean() ? 200 : 503, random.nextBoolean());
        }
      }
    }
    LoadResult result = loop.finish();
    long ended = result.counts().outcomes().values().stream().mapToLong(Long::longValue).sum();
    assertThat(ended).isEqualTo(result.counts().offered()).isGreaterThan(900);
    assertThat(result.counts().outcomes().keySet())
        .contains(Outcome.OK, Outcome.SHED, Outcome.ERROR, Outcome.TIMEOUT, Outcome.DISCONNECTED);
    assertThat(loop.inFlight()).isZero();
  }

  @Test
  void answerToAUserMakesTheLoopTurnBeforeItsTimer() {
    LoadLoop loop = loop(new ClosedLoop(1, 5 * MILLI, 1_000 * MILLI), 10_000, 10);
    List<Long> woken = new ArrayList<>();
    loop.onDueEarlier(() -> woken.add(now));
    assertThat(loop.turn()).as("the deadline of the request").isEqualTo(10_000 * MILLI);
    now = 7 * MILLI;
    answerAll(200);
    assertThat(woken).containsExactly(7 * MILLI);
    assertThat(loop.turn()).as("after the think time").isEqualTo(12 * MILLI);
  }

  @Test
  void oneTurnSendsOnlySoManyAndAsksForAnotherAtOnce() {
    LoadLoop loop = loop(OpenLoop.constant(1_000, 1_000 * MILLI), 10_000, 5_000);
    now = 900 * MILLI;
    assertThat(loop.turn()).as("still due").isLessThan(now);
    assertThat(sent).hasSize(256);
    assertThat(loop.turn()).isLessThan(now);
    assertThat(sent).as("in the order of the schedule").hasSize(512);
  }
}
