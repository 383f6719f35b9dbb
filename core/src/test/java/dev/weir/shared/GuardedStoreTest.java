package dev.weir.shared;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Answer;
import dev.weir.Claim;
import dev.weir.Limit;
import dev.weir.LimitKey;
import dev.weir.StoreFailure;
import dev.weir.StoreFailure.Effect;
import dev.weir.memory.MemoryStore;
import dev.weir.testkit.time.ManualScheduler;
import dev.weir.testkit.time.ManualTicker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Deadline, circuit breaker and recovery of a guarded store. */
class GuardedStoreTest {
  private static final List<Claim> ONE =
      List.of(Claim.of(Limit.fixedWindow(100, Duration.ofDays(1)), new LimitKey(1, 2)));

  private final ManualTicker ticker = ManualTicker.at(Duration.ofDays(20_000));
  private final ManualScheduler scheduler = new ManualScheduler(ticker);
  private final MemoryStore memory = new MemoryStore(100, ticker);
  private final RemoteStore remote = new RemoteStore(memory, scheduler);
  private final List<String> events = new ArrayList<>();
  private CompletableFuture<Void> recovery = CompletableFuture.completedFuture(null);
  private final GuardSettings settings =
      new GuardSettings(Duration.ofMillis(25), 3, 50, 100, Duration.ofSeconds(30));
  private final GuardedStore guarded =
      new GuardedStore(remote, Shards.ONE, settings, scheduler, new Recorder());

  private final class Recorder implements GuardedStore.Listener {
    @Override
    public void onAnswer(@Nullable Throwable failure) {
      events.add(failure == null ? "answer" : "failure");
    }

    @Override
    public void onOpened(String shard, Throwable failure) {
      events.add("opened: " + failure.getMessage());
    }

    @Override
    public CompletionStage<?> onProbeAnswered() {
      events.add("probe answered");
      return recovery;
    }

    @Override
    public void onClosed(String shard) {
      events.add("closed");
    }
  }

  /** The current result of an answer. */
  private static String result(Answer answer) {
    CompletableFuture<?> future = answer.stage().toCompletableFuture();
    if (!future.isDone()) {
      return "open";
    }
    try {
      return answer.join().allowed() ? "allowed" : "denied";
    } catch (StoreFailure e) {
      return e.effect().toString();
    }
  }

  private long used() {
    return 100 - memory.peek(List.of(ONE.get(0).withCost(0))).remaining();
  }

  private void advance(long millis) {
    scheduler.advance(Duration.ofMillis(millis));
  }

  @Test
  void answerBeforeTheDeadlineIsReturned() {
    Answer answer = guarded.take(ONE);
    advance(1);
    assertThat(result(answer)).isEqualTo("allowed");
    advance(100);
    assertThat(events).containsExactly("answer");
  }

  @Test
  void callWithoutAnswerAtTheDeadlineFailsWithUnknownEffect() {
    remote.roundTrip = Duration.ofMillis(40);
    Answer answer = guarded.take(ONE);
    advance(24);
    assertThat(result(answer)).isEqualTo("open");
    advance(1);
    assertThat(result(answer)).isEqualTo(Effect.UNKNOWN.toString());
    advance(100);
    assertThat(result(answer)).as("a late answer changes nothing").isEqualTo("UNKNOWN");
    assertThat(events).containsExactly("failure");
    assertThat(remote.received).containsExactly("take 1");
  }

  @Test
  void timeToSendCountsTowardsTheDeadline() {
    remote.losesAnswers = true;
    remote.sendTime = Duration.ofMillis(10);
    Answer answer = guarded.take(ONE);
    advance(14);
    assertThat(result(answer)).isEqualTo("open");
    advance(1);
    assertThat(result(answer)).isEqualTo("UNKNOWN");
  }

  @Test
  void eachCallFailsAtItsOwnDeadline() {
    remote.losesAnswers = true;
    List<Answer> answers = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      answers.add(guarded.take(ONE));
      advance(10);
    }
    assertThat(answers.stream().map(GuardedStoreTest::result))
        .containsExactly("UNKNOWN", "open", "open");
    advance(5);
    assertThat(answers.stream().map(GuardedStoreTest::result))
        .containsExactly("UNKNOWN", "UNKNOWN", "open");
    advance(10);
    assertThat(answers.stream().map(GuardedStoreTest::result)).containsOnly("UNKNOWN");
  }

  private void open() {
    remote.disconnected = true;
    for (int i = 0; i < 3; i++) {
      assertThat(result(guarded.take(ONE))).isEqualTo("NONE");
    }
    assertThat(guarded.state()).isEqualTo("open");
    assertThat(events).endsWith("failure", "opened: disconnected");
    events.clear();
  }

  @Test
  void openBreakerRejectsCallsUntilAProbeIsAnswered() {
    open();
    remote.disconnected = false;
    assertThat(result(guarded.take(ONE))).isEqualTo("NONE");
    assertThat(remote.received).isEmpty();
    advance(30_000);
    Answer probe = guarded.take(ONE);
    assertThat(guarded.state()).isEqualTo("half-open");
    assertThat(result(guarded.take(ONE))).as("one at a time").isEqualTo("NONE");
    advance(1);
    assertThat(result(probe)).isEqualTo("allowed");
    assertThat(guarded.isCircuitClosed()).isTrue();
    assertThat(events).containsExactly("answer", "probe answered", "closed");
    assertThat(remote.received).containsExactly("take 1");
  }

  @Test
  void answeredHealthProbeClosesTheBreaker() {
    open();
    remote.disconnected = false;
    var unused = guarded.probe();
    advance(1);
    assertThat(guarded.state()).isEqualTo("closed");
    assertThat(remote.received).containsExactly("charge 1");
    assertThat(used()).as("the keys of callers").isZero();
  }

  @Test
  void breakerStaysHalfOpenUntilRecoveryIsComplete() {
    recovery = new CompletableFuture<>();
    open();
    remote.disconnected = false;
    var unused = guarded.probe();
    advance(500);
    assertThat(guarded.state()).isEqualTo("half-open");
    recovery.complete(null);
    assertThat(guarded.state()).isEqualTo("closed");
    advance(5_000);
    assertThat(events).containsExactly("probe answered", "closed");
  }

  @Test
  void breakerClosesAfterOneSecondOfRecovery() {
    recovery = new CompletableFuture<>();
    open();
    remote.disconnected = false;
    var unused = guarded.probe();
    advance(1_001);
    assertThat(guarded.state()).isEqualTo("closed");
    recovery.complete(null);
    assertThat(events).containsExactly("probe answered", "closed");
  }

  @Test
  void unansweredProbeLeavesTheBreakerOpen() {
    open();
    remote.disconnected = false;
    remote.losesAnswers = true;
    var unused = guarded.probe();
    advance(25);
    assertThat(guarded.state()).isEqualTo("open");
    assertThat(events).isEmpty();
  }

  @Test
  void synchronousAnswerIsReturnedAtOnce() {
    GuardedStore local = new GuardedStore(memory, Shards.ONE, settings, scheduler, new Recorder());
    assertThat(local.take(ONE)).isInstanceOf(dev.weir.Decision.class);
    assertThat(events).containsExactly("answer");
  }
}
