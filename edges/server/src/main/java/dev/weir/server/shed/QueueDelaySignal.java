package dev.weir.server.shed;

import dev.weir.rules.gateway.SheddingSettings;
import dev.weir.rules.gateway.SheddingSettings.QueueDelay;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Turns queue delays into a level of shedding, as CoDel does: a queue that is sometimes short is
 * good, whatever its length at other times; one that was never short for a whole interval is not.
 *
 * <p>The level rises by one after each interval in which every delay was above the target, and
 * falls by one after each in which a short delay was followed by short ones only, or in which
 * nothing arrived. So each step has time to take effect. Level 1 sheds the lowest priority, level 2
 * the two lowest, level 3 all but 0.
 *
 * <p>Safe for use by any number of threads, and without a lock: a step is one compare-and-set, and
 * in calm times there is none.
 */
final class QueueDelaySignal {
  private static final int MAX_LEVEL = SheddingSettings.LOWEST;
  private static final State CALM = new State(0, false, 0);

  private final long targetNanos;
  private final long intervalNanos;
  private final AtomicReference<State> state = new AtomicReference<>(CALM);

  /**
   * What the latest delays showed.
   *
   * @param level of shedding
   * @param slow whether the latest delay was above the target
   * @param sinceNanos when that began, or the level last changed
   */
  private record State(int level, boolean slow, long sinceNanos) {}

  QueueDelaySignal(QueueDelay settings) {
    this.targetNanos = settings.target().toNanos();
    this.intervalNanos = settings.interval().toNanos();
  }

  void onDelay(long delayNanos, long nowNanos) {
    boolean slow = delayNanos > targetNanos;
    State before = Objects.requireNonNull(state.get());
    State after = next(before, slow, nowNanos);
    // If another thread was faster, its delay is as good as this one.
    if (!after.equals(before)) {
      state.compareAndSet(before, after);
    }
  }

  private State next(State now, boolean slow, long nowNanos) {
    if (now.slow != slow) {
      return !slow && now.level == 0 ? CALM : new State(now.level, slow, nowNanos);
    }
    if (nowNanos - now.sinceNanos < intervalNanos) {
      return now;
    }
    if (slow) {
      return new State(Math.min(MAX_LEVEL, now.level + 1), true, nowNanos);
    }
    return now.level <= 1 ? CALM : new State(now.level - 1, false, nowNanos);
  }

  /** Whether requests of a priority are shed now. */
  boolean sheds(int priority, long nowNanos) {
    State now = Objects.requireNonNull(state.get());
    if (now.level == 0) {
      return false;
    }
    // While delays arrive, the state is never older than an interval and the time between two.
    if (nowNanos - now.sinceNanos >= 2 * intervalNanos) {
      State calmer = now.level == 1 ? CALM : new State(now.level - 1, false, nowNanos);
      state.compareAndSet(now, calmer);
      now = calmer;
    }
    return priority > MAX_LEVEL - now.level;
  }
}
