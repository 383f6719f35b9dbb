package dev.weir.algorithm;

import dev.weir.Decision;
import dev.weir.Decision.Verdict;
import dev.weir.Limit;
import java.util.Arrays;

/**
 * So many permits held at the same time.
 *
 * <p>The log is triples of holder, expiry and permits, soonest expiry first. {@code at} is the
 * latest time seen. A holder that takes again renews its place; one that never releases loses it at
 * expiry.
 *
 * <p><b>Guarantees.</b> Never more than the limit held by holders that have not expired. Releasing
 * twice, or after expiry, changes nothing.
 *
 * <p><b>The wait is a hint.</b> Holders release when they are done, and nobody knows beforehand
 * when that is; their expiry is the latest it can be, and far too late as a rule. So a denial says
 * to ask again after {@link #MAX_RETRY_MICROS}, or when enough holders will have expired if that is
 * sooner.
 */
public final class Concurrency {
  /** No denial asks for a longer wait than this: one second. */
  public static final long MAX_RETRY_MICROS = 1_000_000;

  private static final int HOLDER = 0;
  private static final int EXPIRY = 1;
  private static final int PERMITS = 2;
  private static final int WIDTH = 3;

  private Concurrency() {}

  public static Step take(
      long at, long[] log, Limit limit, long nowMicros, long cost, long holder) {
    long now = Ticks.now(limit, nowMicros, at);
    long[] live = now < at ? Step.NO_LOG : log;
    // A claim that costs nothing takes no place, and so gives none up either.
    long[] others = cost == 0 ? live : without(live, now, holder);
    long held = held(others, now);
    if (cost > limit.permits()) {
      return step(at, log, live, now, limit, nowMicros, Verdict.NEVER, 0);
    }
    if (held > limit.permits() - cost) {
      long untilExpired = roomAt(others, now, held, limit, cost) - nowMicros;
      long wait = Math.min(untilExpired, MAX_RETRY_MICROS);
      return step(at, log, live, now, limit, nowMicros, Verdict.DENIED, wait);
    }
    if (cost == 0) {
      return step(at, log, live, now, limit, nowMicros, Verdict.ALLOWED, 0);
    }
    long[] next = inserted(others, holder, now + limit.windowMicros(), cost);
    return step(now, next, next, now, limit, nowMicros, Verdict.ALLOWED, 0);
  }

  /** What is held is not owed: a charge changes nothing. */
  public static Step charge(long at, long[] log, Limit limit, long nowMicros) {
    long now = Ticks.now(limit, nowMicros, at);
    long[] live = now < at ? Step.NO_LOG : log;
    return step(at, log, live, now, limit, nowMicros, Verdict.ALLOWED, 0);
  }

  /** Releases what {@code holder} holds. */
  public static Step refund(long at, long[] log, Limit limit, long nowMicros, long holder) {
    long now = Ticks.now(limit, nowMicros, at);
    long[] next = now < at ? Step.NO_LOG : without(log, now, holder);
    return step(now, next, next, now, limit, nowMicros, Verdict.ALLOWED, 0);
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

  private static Step step(
      long nextAt,
      long[] nextLog,
      long[] live,
      long now,
      Limit limit,
      long nowMicros,
      Verdict verdict,
      long waitMicros) {
    long held = held(live, now);
    long reset = held == 0 ? 0 : fullAt(live) - nowMicros;
    Decision decision = Decision.of(verdict, limit.permits() - held, waitMicros, reset);
    return new Step(0, nextAt, nextLog, decision);
  }

  /** The log less the expired and less {@code holder}. */
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
    int place = log.length;
    while (place > 0 && log[place - WIDTH + EXPIRY] > expiry) {
      place -= WIDTH;
    }
    long[] next = new long[log.length + WIDTH];
    System.arraycopy(log, 0, next, 0, place);
    next[place + HOLDER] = holder;
    next[place + EXPIRY] = expiry;
    next[place + PERMITS] = cost;
    System.arraycopy(log, place, next, place + WIDTH, log.length - place);
    return next;
  }

  /** The moment when enough of those held have expired for {@code cost} to fit. */
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
