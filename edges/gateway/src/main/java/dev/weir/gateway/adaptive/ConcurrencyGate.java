package dev.weir.gateway.adaptive;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Lets requests to an upstream in while fewer than its limit are in flight.
 *
 * <p>Safe for use by any number of threads. To enter is one compare-and-set, and never waits.
 */
public final class ConcurrencyGate {
  private final AdaptiveLimit limit;
  private final AtomicInteger inFlight = new AtomicInteger();

  /** How a request ended. */
  public enum Outcome {
    /** The upstream served it; its latency counts. */
    SERVED,
    /** The upstream did not: a timeout, a reset, a refusal. The limit shrinks. */
    DROPPED,
    /** Nothing is learnt: the client went away, or nothing reached the upstream. */
    IGNORED
  }

  /** A gate with nobody inside. */
  public ConcurrencyGate(AdaptiveLimit limit) {
    this.limit = limit;
  }

  /** Enters if there is room; whoever has entered must {@link #exit} once. */
  public boolean tryEnter() {
    int now = inFlight.get();
    while (now < limit.limit()) {
      int found = inFlight.compareAndExchange(now, now + 1);
      if (found == now) {
        return true;
      }
      now = found;
    }
    return false;
  }

  /**
   * Leaves the gate.
   *
   * @param rttNanos the time since the request entered
   * @throws IllegalStateException if nobody is inside
   */
  public void exit(long rttNanos, Outcome outcome) {
    int before = inFlight.getAndUpdate(now -> Math.max(0, now - 1));
    if (before == 0) {
      throw new IllegalStateException("exit without a request in flight");
    }
    if (outcome != Outcome.IGNORED) {
      limit.onSample(rttNanos, before, outcome == Outcome.DROPPED);
    }
  }

  /** The requests in flight. */
  public int inFlight() {
    return inFlight.get();
  }

  /** The limit now. */
  public int limit() {
    return limit.limit();
  }
}
