package dev.weir.server;

import dev.weir.Answer;
import dev.weir.Claim;
import dev.weir.Limit;
import dev.weir.LimitKey;
import dev.weir.Store;
import dev.weir.StoreFailure;
import dev.weir.StoreFailure.Effect;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * A store elsewhere, and how it does: how many requests it answered, how many it did not, and
 * whether it answers now.
 *
 * <p>The last is asked by {@link #probe}, not taken from traffic: there may be none, and where one
 * answer in a hundred is late the store is not gone.
 */
final class WatchedStore implements Store {
  private static final Logger LOG = System.getLogger(WatchedStore.class.getName());

  /** A counter that nobody has; looking at it writes nothing. */
  private static final List<Claim> NOBODY =
      List.of(Claim.of(Limit.fixedWindow(1, Duration.ofSeconds(1)), new LimitKey(0, 0)));

  private final Store store;
  private final LongAdder answers = new LongAdder();
  private final LongAdder undone = new LongAdder();
  private final LongAdder unknown = new LongAdder();
  private volatile boolean answering = true;

  WatchedStore(Store store) {
    this.store = store;
  }

  @Override
  public Answer take(List<Claim> claims) {
    return watched(store.take(claims));
  }

  @Override
  public Answer look(List<Claim> claims) {
    return watched(store.look(claims));
  }

  @Override
  public Answer refund(List<Claim> claims) {
    return watched(store.refund(claims));
  }

  @Override
  public Answer charge(List<Claim> claims) {
    return watched(store.charge(claims));
  }

  @Override
  public Answer forget(List<Claim> claims) {
    return watched(store.forget(claims));
  }

  private Answer watched(Answer answer) {
    var unused = answer.stage().whenComplete((decision, failure) -> count(failure));
    return answer;
  }

  private void count(@Nullable Throwable failure) {
    if (failure == null) {
      answers.increment();
    } else {
      (effect(failure) == Effect.NONE ? undone : unknown).increment();
    }
  }

  /** Asks for a sign of life; a change is logged. */
  void probe() {
    var unused = store.look(NOBODY).stage().whenComplete((decision, failure) -> heard(failure));
  }

  private void heard(@Nullable Throwable failure) {
    boolean was = answering;
    answering = failure == null;
    if (was && failure != null) {
      String rest = "; until it does, when-store-fails of each rule decides";
      LOG.log(Level.WARNING, "The store does not answer: " + cause(failure).getMessage() + rest);
    } else if (!was && failure == null) {
      LOG.log(Level.INFO, "The store answers again");
    }
  }

  /** Whether it gave the last sign of life that it was asked for. */
  boolean isAnswering() {
    return answering;
  }

  long answers() {
    return answers.sum();
  }

  long failures(Effect effect) {
    return (effect == Effect.NONE ? undone : unknown).sum();
  }

  long failures() {
    return undone.sum() + unknown.sum();
  }

  /** What a failure means for what was asked; whatever is not known may have been done. */
  static Effect effect(Throwable failure) {
    return cause(failure) instanceof StoreFailure known ? known.effect() : Effect.UNKNOWN;
  }

  /** The failure itself, without what stages wrap around it. */
  static Throwable cause(Throwable failure) {
    return failure instanceof CompletionException && failure.getCause() != null
        ? failure.getCause()
        : failure;
  }
}
