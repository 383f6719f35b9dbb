package dev.weir.simulation.model;

import dev.weir.Limit;
import java.util.ArrayList;
import java.util.List;

/**
 * Checks, grant by grant, how much a limit admits in any window.
 *
 * <p>The check knows only what a limit promises, not how it is counted. A is the sum of all permits
 * granted, less those given back. X is what servers may hold at a moment beyond what they spent.
 * For every s before t, A(t) − A(s) is at most the limit's bound for that time plus X(s).
 *
 * <p>A bucket promises capacity + rate·(t − s), so the minimum of all A(s) − rate·s + X(s) is
 * enough. A window promises a number, from its edge or for its length.
 */
public final class AdmissionBound {
  private final Limit limit;
  private final List<State> states = new ArrayList<>();
  private long micros = Long.MIN_VALUE;
  private long startMicros;
  private long admitted;
  private long slack;

  // Bucket: the minimum of A(s) − rate·s + X(s), in permits times microseconds of the window.
  private long minSum = Long.MAX_VALUE;

  // Fixed window: the state at its start.
  private long window = Long.MIN_VALUE;
  private long admittedBefore;
  private long slackBefore;

  // Sliding window: the first state that is not yet a window old, and what servers held before the
  // first state.
  private int firstInWindow;
  private long initialSlack;

  /** The sums from a moment on. */
  private record State(long micros, long admitted, long slack) {}

  /** Starts with an empty history. */
  public AdmissionBound(Limit limit) {
    this.limit = limit;
  }

  /** Sets how many permits servers may hold in advance from now on. */
  public void setSlack(long atMicros, long permits) {
    if (micros == Long.MIN_VALUE) {
      slack = permits;
      initialSlack = permits;
    }
    advanceTo(atMicros);
    slack = permits;
    saveState();
  }

  /** Records permits that were counted or given back without a check against the limit. */
  public void record(long atMicros, long permits) {
    advanceTo(atMicros);
    admitted += permits;
    saveState();
  }

  /**
   * Records a grant.
   *
   * @return how many permits too many it was; zero or less if it was within the bound
   */
  public long admit(long atMicros, long permits) {
    advanceTo(atMicros);
    admitted += permits;
    saveState();
    return excess();
  }

  private long excess() {
    return switch (limit.algorithm()) {
      case TOKEN_BUCKET, LEAKY_BUCKET -> {
        long above = scaledSum(0) - limit.capacity() * limit.windowMicros() - minSum;
        yield above <= 0 ? 0 : 1 + (above - 1) / limit.windowMicros();
      }
      case FIXED_WINDOW -> admitted - admittedBefore - slackBefore - limit.permits();
      case SLIDING_LOG -> inWindow() - limit.permits();
      case SLIDING_COUNTER -> inWindow() - (2 * limit.permits() - 1);
      case CONCURRENCY -> 0;
    };
  }

  /** Time never runs back for a counter: the counter waits for the clock. */
  private void advanceTo(long atMicros) {
    long quantized = atMicros - atMicros % limit.tickMicros();
    if (micros == Long.MIN_VALUE) {
      startMicros = quantized;
    }
    micros = Math.max(micros, quantized);
    minSum = Math.min(minSum, scaledSum(slack));
    long start = limit.windowStartMicros(micros);
    if (start != window) {
      window = start;
      admittedBefore = admitted;
      slackBefore = slack;
    }
  }

  private void saveState() {
    states.add(new State(micros, admitted, slack));
  }

  private long scaledSum(long more) {
    return (admitted + more) * limit.windowMicros() - (micros - startMicros) * limit.permits();
  }

  /** Permits granted in the window that ends now, its start excluded, beyond the slack. */
  private long inWindow() {
    while (states.get(firstInWindow).micros <= micros - limit.windowMicros()) {
      firstInWindow++;
    }
    State before =
        firstInWindow == 0
            ? new State(startMicros, 0, initialSlack)
            : states.get(firstInWindow - 1);
    return admitted - before.admitted - before.slack;
  }
}
