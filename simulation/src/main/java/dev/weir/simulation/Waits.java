package dev.weir.simulation;

import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What one server, counting by itself, told of when to come back, by its own clock: neither too
 * short nor too long.
 *
 * <p>What is told is when the same passes if nobody spends; if somebody does it is later, but never
 * earlier, as long as nothing is given back. So nobody with as much to ask passes before.
 */
final class Waits {
  private final NavigableMap<Long, Long> untilMicros = new TreeMap<>();
  private int epoch;

  /** Whether something was counted in this epoch: until then the counter is of the one before. */
  private boolean written;

  private boolean unspent;
  private long lastCost;
  private long lastUntilMicros;

  /** With another epoch, counting has begun anew. */
  Waits in(int newEpoch) {
    if (epoch != newEpoch) {
      epoch = newEpoch;
      written = false;
      forget();
    }
    return this;
  }

  void forget() {
    untilMicros.clear();
    unspent = false;
  }

  void spent() {
    unspent = false;
  }

  /** Somebody passed: what was wrong with what was told before, if anything was. */
  @Nullable String passed(long cost, long micros) {
    unspent = false;
    written = true;
    for (var told : untilMicros.headMap(cost, true).entrySet()) {
      long early = told.getValue() - micros;
      if (early > 0) {
        return "let pass " + cost + " with " + early + " us to go of the wait for " + told.getKey();
      }
    }
    return null;
  }

  /** Somebody is told to wait: what was wrong with what was told before, if anything was. */
  @Nullable String denied(long cost, long micros, long waitMicros) {
    if (!written) {
      return null;
    }
    boolean tooShort = unspent && cost <= lastCost && micros >= lastUntilMicros;
    String wrong =
        tooShort ? "denied " + cost + " after the wait for " + lastCost + " was over" : null;
    unspent = true;
    lastCost = cost;
    lastUntilMicros = micros + waitMicros;
    untilMicros.merge(cost, lastUntilMicros, Math::max);
    return wrong;
  }
}
