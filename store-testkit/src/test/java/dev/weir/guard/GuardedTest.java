package dev.weir.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Answer;
import dev.weir.Claim;
import dev.weir.Limit;
import dev.weir.LimitKey;
import dev.weir.StoreFailure;
import dev.weir.StoreFailure.Effect;
import dev.weir.memory.MemoryStore;
import dev.weir.testkit.ManualTicker;
import dev.weir.testkit.ManualTimers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class GuardedTest {
  private static final List<Claim> ONE =
      List.of(Claim.of(Limit.fixedWindow(100, Duration.ofDays(1)), new LimitKey(1, 2)));

  private final ManualTicker ticker = ManualTicker.at(Duration.ofDays(20_000));
  private final ManualTimers timers = new ManualTimers(ticker);
  private final MemoryStore memory = new MemoryStore(100, ticker);
  private final FarStore far = new FarStore(memory, timers);
  private final List<String> events = new ArrayList<>();
  private CompletableFuture<Void> settled = CompletableFuture.completedFuture(null);
  private final GuardSettings settings =
      new GuardSettings(Duration.ofMillis(25), 3, 50, 100, Duration.ofSeconds(30));
  private final Guarded guarded = new Guarded(far, Places.ONE, settings, timers, new Noting());

  private final class Noting implements Guarded.Watcher {
    @Override
    public void told(@Nullable Throwable failure) {
      events.add(failure == null ? "answer" : "failure");
    }

    @Override
    public void opened(String place, Throwable failure) {
      events.add("opened: " + failure.getMessage());
    }

    @Override
    public CompletionStage<?> answering() {
      events.add("answering");
      return settled;
    }

    @Override
    public void closed(String place) {
      events.add("closed");
    }
  }

  /** What became of an answer by now. */
  private static String end(Answer answer) {
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
    return 100 - memory.look(List.of(ONE.get(0).costing(0))).remaining();
  }

  private void advance(long millis) {
    timers.advance(Duration.ofMillis(millis));
  }

  @Test
  void anAnswerInTimeIsTheAnswer() {
    Answer answer = guarded.take(ONE);
    advance(1);
    assertThat(end(answer)).isEqualTo("allowed");
    advance(100);
    assertThat(events).containsExactly("answer");
  }

  @Test
  void whatIsNotThereAtTheDeadlineHasFailedAndNobodyKnowsItsEffect() {
    far.trip = Duration.ofMillis(40);
    Answer answer = guarded.take(ONE);
    advance(24);
    assertThat(end(answer)).isEqualTo("open");
    advance(1);
    assertThat(end(answer)).isEqualTo(Effect.UNKNOWN.toString());
    advance(100);
    assertThat(end(answer)).as("what comes later changes nothing").isEqualTo("UNKNOWN");
    assertThat(events).containsExactly("failure");
    assertThat(far.asked).containsExactly("take 1");
  }

  @Test
  void theTimeThatItTakesToAskCounts() {
    far.losesAnswers = true;
    far.sending = Duration.ofMillis(10);
    Answer answer = guarded.take(ONE);
    advance(14);
    assertThat(end(answer)).isEqualTo("open");
    advance(1);
    assertThat(end(answer)).isEqualTo("UNKNOWN");
  }

  @Test
  void everyoneOfManyIsToldAtItsOwnDeadline() {
    far.losesAnswers = true;
    List<Answer> answers = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      answers.add(guarded.take(ONE));
      advance(10);
    }
    assertThat(answers.stream().map(GuardedTest::end)).containsExactly("UNKNOWN", "open", "open");
    advance(5);
    assertThat(answers.stream().map(GuardedTest::end))
        .containsExactly("UNKNOWN", "UNKNOWN", "open");
    advance(10);
    assertThat(answers.stream().map(GuardedTest::end)).containsOnly("UNKNOWN");
  }

  private void open() {
    far.cut = true;
    for (int i = 0; i < 3; i++) {
      assertThat(end(guarded.take(ONE))).isEqualTo("NONE");
    }
    assertThat(guarded.state()).isEqualTo("open");
    assertThat(events).endsWith("failure", "opened: cut");
    events.clear();
  }

  @Test
  void aStoreThatFailsIsNotAskedUntilOneRequestFindsThatItAnswers() {
    open();
    far.cut = false;
    assertThat(end(guarded.take(ONE))).isEqualTo("NONE");
    assertThat(far.asked).isEmpty();
    advance(30_000);
    Answer probe = guarded.take(ONE);
    assertThat(guarded.state()).isEqualTo("half-open");
    assertThat(end(guarded.take(ONE))).as("one at a time").isEqualTo("NONE");
    advance(1);
    assertThat(end(probe)).isEqualTo("allowed");
    assertThat(guarded.isAsked()).isTrue();
    assertThat(events).containsExactly("answer", "answering", "closed");
    assertThat(far.asked).containsExactly("take 1");
  }

  @Test
  void aSignOfLifeIsEnough() {
    open();
    far.cut = false;
    var unused = guarded.probe();
    advance(1);
    assertThat(guarded.state()).isEqualTo("closed");
    assertThat(far.asked).containsExactly("charge 1");
    assertThat(used()).as("of anybody").isZero();
  }

  @Test
  void nothingIsAskedUntilTheStoreHasBeenToldWhatItMissed() {
    settled = new CompletableFuture<>();
    open();
    far.cut = false;
    var unused = guarded.probe();
    advance(500);
    assertThat(guarded.state()).isEqualTo("half-open");
    settled.complete(null);
    assertThat(guarded.state()).isEqualTo("closed");
    advance(5_000);
    assertThat(events).containsExactly("answering", "closed");
  }

  @Test
  void butThatDoesNotTakeForEver() {
    settled = new CompletableFuture<>();
    open();
    far.cut = false;
    var unused = guarded.probe();
    advance(1_001);
    assertThat(guarded.state()).isEqualTo("closed");
    settled.complete(null);
    assertThat(events).containsExactly("answering", "closed");
  }

  @Test
  void aProbeWithoutAnAnswerLeavesItOpen() {
    open();
    far.cut = false;
    far.losesAnswers = true;
    var unused = guarded.probe();
    advance(25);
    assertThat(guarded.state()).isEqualTo("open");
    assertThat(events).isEmpty();
  }

  @Test
  void aStoreInThisProcessIsNotMadeToWait() {
    Guarded near = new Guarded(memory, Places.ONE, settings, timers, new Noting());
    assertThat(near.take(ONE)).isInstanceOf(dev.weir.Decision.class);
    assertThat(events).containsExactly("answer");
  }
}
