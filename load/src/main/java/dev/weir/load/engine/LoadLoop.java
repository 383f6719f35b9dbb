package dev.weir.load.engine;

import dev.weir.load.arrival.Pace;
import dev.weir.load.measure.LoadResult;
import dev.weir.load.measure.Outcome;
import dev.weir.load.measure.Recorder;
import dev.weir.load.traffic.Traffic;
import java.util.function.LongSupplier;

/**
 * Sends the requests that are due, gives up those whose time is over, and counts both.
 *
 * <p>All state is confined to one thread, which calls {@link #turn} again and again. Every request
 * that is due is counted once when it is due and once when it ends; one that cannot be sent,
 * because too many are in flight, ends at once as {@link Outcome#NOT_SENT}. So the sum of all
 * outcomes is the number of requests that were due, and memory is bounded by the requests in
 * flight.
 */
public final class LoadLoop {
  /** How many requests one turn sends at most, so that answers are read in between. */
  private static final int MAX_SENT_IN_A_TURN = 256;

  private final Pace pace;
  private final Traffic traffic;
  private final Transport transport;
  private final Limits limits;
  private final LongSupplier clock;
  private final InFlight inFlight = new InFlight();
  private Runnable dueEarlier = () -> {};
  private long nextTurnNanos;
  private final Recorder recorder;

  /**
   * The bounds of a run.
   *
   * @param offerNanos how long requests are offered
   * @param timeoutNanos how long a client waits for an answer, from the time its request was due
   * @param maxInFlight how many requests may be in flight
   */
  public record Limits(long offerNanos, long timeoutNanos, int maxInFlight) {}

  /**
   * Creates a loop.
   *
   * @param clock nanoseconds since the start of the run
   */
  public LoadLoop(
      Pace pace,
      Traffic traffic,
      Transport transport,
      Limits limits,
      Recorder recorder,
      LongSupplier clock) {
    this.pace = pace;
    this.traffic = traffic;
    this.transport = transport;
    this.limits = limits;
    this.recorder = recorder;
    this.clock = clock;
  }

  /**
   * Does what is due.
   *
   * @return when to call again, unless {@link #onDueEarlier} says so before
   */
  public long turn() {
    int budget = MAX_SENT_IN_A_TURN;
    long now = clock.getAsLong();
    while (pace.nextDueNanos() <= now && budget-- > 0) {
      offer(pace.take(), now);
    }
    giveUp(now);
    recorder.advance(now);
    long due = pace.nextDueNanos();
    Exchange oldest = inFlight.oldest();
    nextTurnNanos = oldest == null ? due : Math.min(due, oldest.dueNanos + limits.timeoutNanos);
    return nextTurnNanos;
  }

  private void offer(long dueNanos, long nowNanos) {
    recorder.onOffer(dueNanos, nowNanos);
    if (inFlight.size() >= limits.maxInFlight) {
      recorder.onOutcome(Outcome.NOT_SENT, dueNanos, nowNanos);
      pace.onComplete(nowNanos);
      return;
    }
    Exchange exchange = new Exchange(this, traffic.next(), dueNanos);
    inFlight.add(exchange);
    transport.send(exchange);
  }

  private void giveUp(long nowNanos) {
    for (Exchange oldest = inFlight.oldest();
        oldest != null && nowNanos - oldest.dueNanos >= limits.timeoutNanos;
        oldest = inFlight.oldest()) {
      transport.abandon(oldest);
      onFailure(oldest, Outcome.TIMEOUT);
    }
  }

  void onAnswer(Exchange exchange, int status, boolean retryAfter) {
    long now = clock.getAsLong();
    recorder.onAnswer(status, retryAfter, exchange.dueNanos, now);
    end(exchange, now);
  }

  void onFailure(Exchange exchange, Outcome outcome) {
    long now = clock.getAsLong();
    recorder.onOutcome(outcome, exchange.dueNanos, now);
    end(exchange, now);
  }

  private void end(Exchange exchange, long nowNanos) {
    inFlight.remove(exchange);
    pace.onComplete(nowNanos);
    if (pace.nextDueNanos() < nextTurnNanos || isOver()) {
      nextTurnNanos = nowNanos;
      dueEarlier.run();
    }
  }

  /** Sets what runs when the end of a request makes a turn due before the time of the next one. */
  public void onDueEarlier(Runnable listener) {
    dueEarlier = listener;
  }

  /** Whether nothing is in flight and nothing will be due. */
  public boolean isOver() {
    return inFlight.size() == 0 && pace.nextDueNanos() == Pace.NEVER;
  }

  /** How many requests are in flight. */
  public int inFlight() {
    return inFlight.size();
  }

  /** The result; to be called when the run is over. */
  public LoadResult finish() {
    long now = clock.getAsLong();
    return recorder.finish(limits.offerNanos, now);
  }
}
