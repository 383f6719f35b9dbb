package dev.weir.simulation;

import dev.weir.Limit;
import java.util.ArrayList;
import java.util.List;

/**
 * How much a limit lets pass in any window, checked grant by grant.
 *
 * <p>It knows nothing of how a limit is counted, only what it promises. A is the sum of all that
 * passed, less what was given back; X what servers may hold at a moment beyond what they spent. For
 * every s before t, A(t) − A(s) is at most the limit's bound for that time, and X(s).
 *
 * <p>A bucket promises capacity + rate·(t − s): so it is enough to know the least of all A(s) −
 * rate·s + X(s). A window promises a number, from its edge or for its length.
 */
final class Bound {
  private final Limit limit;
  private final List<State> states = new ArrayList<>();
  private long micros = Long.MIN_VALUE;
  private long began;
  private long admitted;
  private long slack;

  // Of a bucket: the least A(s) − rate·s + X(s), in permits times microseconds of the window.
  private long least = Long.MAX_VALUE;

  // Of a fixed window: how things stood when it began.
  private long window = Long.MIN_VALUE;
  private long admittedBefore;
  private long slackBefore;

  // Of a sliding window: the first state that is not yet a window old, and what was held before
  // all.
  private int young;
  private long slackAtFirst;

  /** How things stood from a moment on. */
  private record State(long micros, long admitted, long slack) {}

  Bound(Limit limit) {
    this.limit = limit;
  }

  /** From now on so much more may be held by servers in advance. */
  void slack(long atMicros, long permits) {
    if (micros == Long.MIN_VALUE) {
      slack = permits;
      slackAtFirst = permits;
    }
    moveTo(atMicros);
    slack = permits;
    note();
  }

  /** Something was counted or given back, which is not limited by itself. */
  void add(long atMicros, long permits) {
    moveTo(atMicros);
    admitted += permits;
    note();
  }

  /**
   * Something passed.
   *
   * @return by how much that was too much, or nothing at all if it is not positive
   */
  long admit(long atMicros, long permits) {
    moveTo(atMicros);
    admitted += permits;
    note();
    return excess();
  }

  private long excess() {
    return switch (limit.algorithm()) {
      case TOKEN_BUCKET, LEAKY_BUCKET -> {
        long above = sum(0) - limit.capacity() * limit.windowMicros() - least;
        yield above <= 0 ? 0 : 1 + (above - 1) / limit.windowMicros();
      }
      case FIXED_WINDOW -> admitted - admittedBefore - slackBefore - limit.permits();
      case SLIDING_LOG -> inWindow() - limit.permits();
      case SLIDING_COUNTER -> inWindow() - (2 * limit.permits() - 1);
      case CONCURRENCY -> 0;
    };
  }

  /** Time never runs back for a counter: it waits. */
  private void moveTo(long atMicros) {
    long quantised = atMicros - atMicros % limit.tickMicros();
    if (micros == Long.MIN_VALUE) {
      began = quantised;
    }
    micros = Math.max(micros, quantised);
    least = Math.min(least, sum(slack));
    long start = limit.windowStartMicros(micros);
    if (start != window) {
      window = start;
      admittedBefore = admitted;
      slackBefore = slack;
    }
  }

  private void note() {
    states.add(new State(micros, admitted, slack));
  }

  private long sum(long more) {
    return (admitted + more) * limit.windowMicros() - (micros - began) * limit.permits();
  }

  /** What passed in the window that ends now and is open at its beginning, beyond what was held. */
  private long inWindow() {
    while (states.get(young).micros <= micros - limit.windowMicros()) {
      young++;
    }
    State before = young == 0 ? new State(began, 0, slackAtFirst) : states.get(young - 1);
    return admitted - before.admitted - before.slack;
  }
}
