package dev.weir.algorithm;

import dev.weir.Decision;
import dev.weir.Decision.Verdict;
import dev.weir.Limit;
import java.util.Arrays;

/**
 * A number of permits held at the same time.
 *
 * <p>The log is triples of holder, expiry and permits, soonest expiry first. {@code at} is the
 * latest time seen. A holder that takes again renews its permits; one that never releases them
 * loses them at expiry.
 *
 * <p><b>Guarantees.</b> Holders that have not expired never hold more than the limit. Releasing
 * twice, or after expiry, changes nothing.
 *
 * <p><b>The wait is a hint.</b> Holders release when they are done, which cannot be known
 * beforehand; their expiry is the latest possible time, and usually far too late. So a denial asks
 * for a retry after {@link #MAX_RETRY_MICROS}, or when enough holders will have expired if that is
 * sooner.
 */
public final class Concurrency {
  /** The longest wait that a denial asks for: one second. */
  public static final long MAX_RETRY_MICROS = 1_000_000;

  private static final int HOLDER = 0;
  private static final int EXPIRY = 1;
  private static final int PERMITS = 2;
  private static final int WIDTH = 3;

  private Concurrency() {}

  /** Takes or renews {@code cost} permits for a holder if they fit. */
  public static Step take(
      long at, long[] log, Limit limit, long nowMicros, long cost, long holder) {
    long now = Ticks.now(limit, nowMicros, at);
    long[] live = now < at ? Step.NO_LOG : log;
    // A claim that costs nothing holds nothing, so it must not release what the holder has either.
    long[] others = cost == 0 ? live : without(live, now, holder);
    long held = held(others, now);
    if (cost > limit.permits()) {
      return new Step(0, at, log, decision(live, now, limit, nowMicros, Verdict.NEVER, 0));
    }
    if (held > limit.permits() - cost) {
      long untilExpired = roomAt(others, now, held, limit, cost) - nowMicros;
      long wait = Math.min(untilExpired, MAX_RETRY_MICROS);
      return new Step(0, at, log, decision(live, now, limit, nowMicros, Verdict.DENIED, wait));
    }
    if (cost == 0) {
      return new Step(0, at, log, decision(live, now, limit, nowMicros, Verdict.ALLOWED, 0));
    }
    long[] next = inserted(others, holder, now + limit.windowMicros(), cost);
    return new Step(0, now, next, decision(next, now, limit, nowMicros, Verdict.ALLOWED, 0));
  }

  /** Changes nothing: permits are held, not consumed, so there is nothing to charge. */
  public static Step charge(long at, long[] log, Limit limit, long nowMicros) {
    long now = Ticks.now(limit, nowMicros, at);
    long[] live = now < at ? Step.NO_LOG : log;
    return new Step(0, at, log, decision(live, now, limit, nowMicros, Verdict.ALLOWED, 0));
  }

  /** Releases the permits of {@code holder}. */
  public static Step refund(long at, long[] log, Limit limit, long nowMicros, long holder) {
    long now = Ticks.now(limit, nowMicros, at);
    long[] next = now < at ? Step.NO_LOG : without(log, now, holder);
    return new Step(0, now, next, decision(next, now, limit, nowMicros, Verdict.ALLOWED, 0));
  }

  /** Permits held now. */
  public static long used(long at, long[] log, Limit limit, long nowMicros) {
    long now = Ticks.now(limit, nowMicros, at);
    return now < at ? 0 : held(log, now);
  }

  private static long held(long[] log, long now) {
    long held = 0;
    for (int i = 0; i < log.length; i += WIDTH) {
      held += log[i + EXPIRY] > now ? log[i + PERMITS] : 0;
    }
    return held;
  }

  /** When the last holder expires, in microseconds. */
  public static long fullAt(long[] log) {
    return log.length == 0 ? 0 : log[log.length - WIDTH + EXPIRY];
  }

  private static Decision decision(
      long[] live, long now, Limit limit, long nowMicros, Verdict verdict, long waitMicros) {
    long held = held(live, now);
    long reset = held == 0 ? 0 : fullAt(live) - nowMicros;
    return Decision.of(verdict, limit.permits() - held, waitMicros, reset);
  }

  /** The log without expired entries and without {@code holder}. */
  private static long[] without(long[] log, long now, long holder) {
    long[] kept = new long[log.length];
    int length = 0;
    for (int i = 0; i < log.length; i += WIDTH) {
      if (log[i + EXPIRY] > now && log[i + HOLDER] != holder) {
        System.arraycopy(log, i, kept, length, WIDTH);
        length += WIDTH;
      }
    }
    return length == log.length ? log : Arrays.copyOf(kept, length);
  }

  private static long[] inserted(long[] log, long holder, long expiry, long cost) {
    int index = log.length;
    while (index > 0 && log[index - WIDTH + EXPIRY] > expiry) {
      index -= WIDTH;
    }
    long[] next = new long[log.length + WIDTH];
    System.arraycopy(log, 0, next, 0, index);
    next[index + HOLDER] = holder;
    next[index + EXPIRY] = expiry;
    next[index + PERMITS] = cost;
    System.arraycopy(log, index, next, index + WIDTH, log.length - index);
    return next;
  }

  /** The moment when enough permits will have expired for {@code cost} to fit. */
  private static long roomAt(long[] log, long now, long held, Limit limit, long cost) {
    long left = held;
    int i = 0;
    while (left > limit.permits() - cost) {
      left -= log[i + EXPIRY] > now ? log[i + PERMITS] : 0;
      i += WIDTH;
    }
    return log[i - WIDTH + EXPIRY];
  }
}
