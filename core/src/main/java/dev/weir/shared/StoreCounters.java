package dev.weir.shared;

import dev.weir.StoreFailure;
import dev.weir.StoreFailure.Effect;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Counts the events of a shared store, and forwards them to another listener. */
final class StoreCounters implements SharedStoreListener {
  private final SharedStoreListener next;
  private final LongAdder answers = new LongAdder();
  private final LongAdder failuresWithoutEffect = new LongAdder();
  private final LongAdder failuresOfUnknownEffect = new LongAdder();
  private final LongAdder outages = new LongAdder();

  StoreCounters(SharedStoreListener next) {
    this.next = next;
  }

  long answers() {
    return answers.sum();
  }

  long failures(Effect effect) {
    return (effect == Effect.NONE ? failuresWithoutEffect : failuresOfUnknownEffect).sum();
  }

  long outages() {
    return outages.sum();
  }

  @Override
  public void onAnswer(@Nullable Throwable failure) {
    next.onAnswer(failure);
    if (failure == null) {
      answers.increment();
    } else {
      boolean none = StoreFailure.effect(failure) == Effect.NONE;
      (none ? failuresWithoutEffect : failuresOfUnknownEffect).increment();
    }
  }

  @Override
  public void onFailure(String shard, Throwable failure) {
    next.onFailure(shard, failure);
  }

  @Override
  public void onLost(String shard, Throwable failure) {
    outages.increment();
    next.onLost(shard, failure);
  }

  @Override
  public void onRecovered() {
    next.onRecovered();
  }

  @Override
  public void onRosterLost(Throwable failure) {
    next.onRosterLost(failure);
  }

  @Override
  public void onRosterRecovered() {
    next.onRosterRecovered();
  }
}
