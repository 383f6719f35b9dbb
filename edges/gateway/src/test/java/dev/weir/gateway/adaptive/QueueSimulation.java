package dev.weir.gateway.adaptive;

import dev.weir.gateway.adaptive.ConcurrencyGate.Outcome;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.PriorityQueue;
import java.util.Random;

/**
 * A server with workers and a queue behind a gate, on virtual time. Requests arrive by a Poisson
 * process, whether or not others are served.
 */
final class QueueSimulation {
  private static final double SECOND = 1e9;

  private final ConcurrencyGate gate;
  private final Random random;
  private final PriorityQueue<Completion> completions =
      new PriorityQueue<>((a, b) -> Double.compare(a.end, b.end));
  private final Deque<Double> queue = new ArrayDeque<>();

  int workers = 50;
  double serviceNanos = 20e6;

  /** Whether service times vary exponentially; else they are all the same. */
  boolean varying;

  /** Requests that find this many waiting are refused at once. */
  int maxQueue = Integer.MAX_VALUE;

  private double now;
  private long served;
  private double latencySum;
  private double limitSum;
  private long arrivals;
  int lowest = Integer.MAX_VALUE;
  int peak;

  private record Completion(double start, double end) {}

  QueueSimulation(AdaptiveLimit limit, long seed) {
    this.gate = new ConcurrencyGate(limit);
    this.random = new Random(seed);
  }

  /** What the server can serve in a second. */
  double capacity() {
    return workers * SECOND / serviceNanos;
  }

  /** Offers a multiple of the capacity for some seconds, and measures anew. */
  QueueSimulation offer(double times, double seconds) {
    served = 0;
    latencySum = 0;
    limitSum = 0;
    arrivals = 0;
    lowest = Integer.MAX_VALUE;
    peak = 0;
    double start = now;
    double end = start + seconds * SECOND;
    double next = now;
    while (true) {
      next += -Math.log(1 - random.nextDouble()) * SECOND / (capacity() * times);
      if (next >= end) {
        complete(end);
        now = end;
        elapsed = seconds;
        return this;
      }
      complete(next);
      now = next;
      arrive();
    }
  }

  private double elapsed;

  private void arrive() {
    arrivals++;
    limitSum += gate.limit();
    lowest = Math.min(lowest, gate.limit());
    if (!gate.tryEnter()) {
      return;
    }
    peak = Math.max(peak, gate.inFlight());
    if (completions.size() < workers) {
      start(now);
    } else if (queue.size() < maxQueue) {
      queue.add(now);
    } else {
      gate.exit(100_000, Outcome.DROPPED);
    }
  }

  private void start(double arrived) {
    double service = varying ? -Math.log(1 - random.nextDouble()) * serviceNanos : serviceNanos;
    completions.add(new Completion(arrived, now + service));
  }

  private void complete(double until) {
    while (!completions.isEmpty() && completions.peek().end <= until) {
      Completion one = completions.remove();
      now = one.end;
      served++;
      latencySum += one.end - one.start;
      gate.exit((long) (one.end - one.start), Outcome.SERVED);
      while (!queue.isEmpty() && completions.size() < workers) {
        start(queue.remove());
      }
    }
  }

  /** The share of the capacity that was used. */
  double utilisation() {
    return served / elapsed / capacity();
  }

  /** The mean latency of served requests, in service times. */
  double latency() {
    return latencySum / served / serviceNanos;
  }

  /** The mean limit. */
  double limit() {
    return limitSum / arrivals;
  }

  @Override
  public String toString() {
    return String.format(
        java.util.Locale.ROOT,
        "limit %.1f (lowest %d), used %.3f, latency %.2f service times",
        limit(),
        lowest,
        utilisation(),
        latency());
  }
}
