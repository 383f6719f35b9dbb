package dev.weir.client.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.client.ManualTimers;
import dev.weir.client.dispatch.RequestNotSentException.Reason;
import dev.weir.client.header.Advertised;
import dev.weir.client.header.Quota;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A timeline of one origin. */
class PacerTest {
  private static final long SECOND = 1_000_000_000L;

  private final ManualTimers timers = new ManualTimers();
  private final List<String> sent = new ArrayList<>();

  private Pacer pacer(int maxWaiting) {
    DispatchSettings d = DispatchSettings.DEFAULT;
    DispatchSettings settings =
        new DispatchSettings(
            d.attempts(),
            d.backoffBase(),
            d.backoffMax(),
            d.maxWait(),
            d.maxPause(),
            d.deadline(),
            d.budgetPercent(),
            d.budgetMinimum(),
            d.methods(),
            d.retryDenied(),
            d.retryFailures(),
            true,
            maxWaiting);
    return new Pacer("http://server:80", settings, timers, new Random(1));
  }

  private Turn join(Pacer pacer, String name, long withinSeconds) {
    Turn turn = pacer.join(timers.nanos() + withinSeconds * SECOND);
    var unused = turn.thenRun(() -> sent.add(name));
    return turn;
  }

  private void queue(Pacer pacer, String name, long withinSeconds) {
    var unused = join(pacer, name, withinSeconds);
  }

  private static Advertised spent(long resetSeconds) {
    return new Advertised(
        OptionalLong.empty(),
        List.of(new Quota(0, resetSeconds * SECOND, OptionalLong.empty(), OptionalLong.empty())));
  }

  private static Advertised retryAfter(long seconds) {
    return new Advertised(OptionalLong.of(seconds * SECOND), List.of());
  }

  private static Reason reason(CompletableFuture<Void> turn) {
    try {
      turn.getNow(null);
      throw new AssertionError("not refused");
    } catch (CompletionException e) {
      assertThat(e.getCause()).isInstanceOf(RequestNotSentException.class);
      return ((RequestNotSentException) Objects.requireNonNull(e.getCause())).reason();
    }
  }

  @Test
  void requestsWaitInOrderAndThoseSentAgainGoFirst() {
    Pacer pacer = pacer(10);
    Turn first = join(pacer, "first", 30);
    pacer.onResponse(first, false, spent(5));
    queue(pacer, "second", 30);
    queue(pacer, "third", 30);
    Turn again =
        Objects.requireNonNull(pacer.rejoin(SECOND, timers.nanos() + 30 * SECOND, () -> true));
    var unused = again.thenRun(() -> sent.add("first again"));
    timers.advance(Duration.ofSeconds(4));
    assertThat(sent).containsExactly("first");
    assertThat(pacer.waiting()).isEqualTo(3);
    timers.advance(Duration.ofSeconds(2));
    assertThat(sent).containsExactly("first", "first again", "second", "third");
    assertThat(pacer.waiting()).isZero();
  }

  @Test
  void requestWhoseTurnComesTooLateIsRefusedAtOnce() {
    Pacer pacer = pacer(10);
    pacer.onResponse(join(pacer, "first", 30), false, spent(5));
    assertThat(reason(join(pacer, "hurried", 4))).isEqualTo(Reason.LIMIT);
    assertThat(join(pacer, "patient", 6)).isNotDone();
  }

  @Test
  void waitingRequestsAreRefusedWhenADenialMovesTheirTurns() {
    Pacer pacer = pacer(10);
    Turn first = join(pacer, "first", 30);
    Turn second = join(pacer, "second", 30);
    pacer.onResponse(first, false, spent(2));
    Turn hurried = join(pacer, "hurried", 4);
    Turn patient = join(pacer, "patient", 30);
    assertThat(hurried).isNotDone();
    pacer.onResponse(second, true, retryAfter(6));
    assertThat(reason(hurried)).isEqualTo(Reason.LIMIT);
    assertThat(patient).isNotDone();
    timers.advance(Duration.ofSeconds(7));
    assertThat(sent).containsExactly("first", "second", "patient");
  }

  @Test
  void queueIsBounded() {
    Pacer pacer = pacer(2);
    pacer.onResponse(join(pacer, "first", 30), false, spent(5));
    Turn second = join(pacer, "second", 30);
    Turn third = join(pacer, "third", 30);
    assertThat(reason(join(pacer, "fourth", 30))).isEqualTo(Reason.QUEUE_FULL);
    AtomicInteger asked = new AtomicInteger();
    assertThat(
            pacer.rejoin(SECOND, timers.nanos() + 30 * SECOND, () -> asked.getAndIncrement() == 0))
        .isNull();
    assertThat(asked).hasValue(0);
    second.cancel(true);
    assertThat(pacer.waiting()).isEqualTo(1);
    assertThat(join(pacer, "fifth", 30)).isNotDone();
    timers.advance(Duration.ofSeconds(6));
    assertThat(third).isDone();
    assertThat(sent).containsExactly("first", "third", "fifth");
    assertThat(timers.pending()).isZero();
  }

  @Test
  void cancelledTurnsLeaveNothingBehind() {
    Pacer pacer = pacer(10);
    pacer.onResponse(join(pacer, "first", 30), true, retryAfter(5));
    Turn again =
        Objects.requireNonNull(pacer.rejoin(SECOND, timers.nanos() + 30 * SECOND, () -> true));
    again.cancel(true);
    assertThat(pacer.waiting()).isZero();
    assertThat(timers.pending()).isZero();
  }

  @Test
  void pauseIsBoundedWhateverTheServerSays() {
    Pacer pacer = pacer(10);
    pacer.onResponse(join(pacer, "first", 30), true, retryAfter(86_400));
    Turn next = join(pacer, "next", 300);
    timers.advance(Duration.ofMinutes(2));
    assertThat(next).isDone();
  }

  @Test
  void lastFifthIsSpentAtTheAverageRate() {
    Pacer pacer = pacer(1_000);
    Quota low = new Quota(2, 60 * SECOND, OptionalLong.of(10), OptionalLong.of(100 * SECOND));
    pacer.onResponse(
        join(pacer, "first", 30), false, new Advertised(OptionalLong.empty(), List.of(low)));
    queue(pacer, "second", 100);
    queue(pacer, "third", 100);
    queue(pacer, "fourth", 100);
    timers.advance(Duration.ofSeconds(4));
    assertThat(sent).containsExactly("first");
    timers.advance(Duration.ofSeconds(30));
    assertThat(sent).containsExactly("first", "second", "third");
    timers.advance(Duration.ofSeconds(31));
    assertThat(sent).containsExactly("first", "second", "third", "fourth");
  }

  @Test
  void denialForAnotherReasonThanAnAdvertisedLimitDoesNotTakeItsPace() {
    Pacer pacer = pacer(10);
    Quota daily =
        new Quota(900, 80_000 * SECOND, OptionalLong.of(1_000), OptionalLong.of(86_400 * SECOND));
    pacer.onResponse(
        join(pacer, "first", 30), true, new Advertised(OptionalLong.of(SECOND), List.of(daily)));
    queue(pacer, "second", 30);
    queue(pacer, "third", 30);
    timers.advance(Duration.ofMillis(1_100));
    assertThat(sent).containsExactly("first", "second", "third");
  }

  @Test
  void ofSeveralLimitsTheOneThatIsSpentForLongestCounts() {
    Pacer pacer = pacer(10);
    OptionalLong unknown = OptionalLong.empty();
    Quota low =
        new Quota(5, 86_000 * SECOND, OptionalLong.of(1_000), OptionalLong.of(86_400 * SECOND));
    Quota shortly = new Quota(0, SECOND, unknown, unknown);
    Quota longer = new Quota(0, 5 * SECOND, unknown, unknown);
    pacer.onResponse(
        join(pacer, "first", 30), false, new Advertised(unknown, List.of(low, longer, shortly)));
    queue(pacer, "second", 30);
    timers.advance(Duration.ofSeconds(4));
    assertThat(sent).containsExactly("first");
    timers.advance(Duration.ofSeconds(2));
    assertThat(sent).containsExactly("first", "second");
  }

  @Test
  void ofSeveralLimitsALowOneComesBeforeASlowOne() {
    Quota low = new Quota(2, 2 * SECOND, OptionalLong.of(10), OptionalLong.of(10 * SECOND));
    Quota slow =
        new Quota(900, 80_000 * SECOND, OptionalLong.of(1_000), OptionalLong.of(86_400 * SECOND));
    Pacer pacer = pacer(10);
    pacer.onResponse(
        join(pacer, "first", 30), false, new Advertised(OptionalLong.empty(), List.of(slow, low)));
    queue(pacer, "second", 30);
    assertThat(sent).containsExactly("first");
    timers.advance(Duration.ofSeconds(2));
    assertThat(sent).containsExactly("first", "second");
  }
}
