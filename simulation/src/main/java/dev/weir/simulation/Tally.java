package dev.weir.simulation;

import dev.weir.Algorithm;
import dev.weir.Limit;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * What of a limit is in use, by the plain arithmetic of its algorithm.
 *
 * <p>It is here to be compared with the counters of the limiter, and shares nothing with them. It
 * lets everything in, whether or not there is room. Time never runs back for it: it waits.
 */
final class Tally {
  private final Limit limit;

  /** So many parts has a permit: of what flows or fades, parts can be counted. */
  private final long parts;

  private final Deque<Entry> log = new ArrayDeque<>();
  private long micros = Long.MIN_VALUE;
  private long level;
  private long window;
  private long count;
  private long countBefore;

  private record Entry(long micros, long permits) {}

  Tally(Limit limit) {
    this.limit = limit;
    boolean flows =
        switch (limit.algorithm()) {
          case TOKEN_BUCKET, LEAKY_BUCKET, SLIDING_COUNTER -> true;
          case FIXED_WINDOW, SLIDING_LOG -> false;
          case CONCURRENCY -> throw new IllegalArgumentException("not a rate: " + limit);
        };
    this.parts = flows ? limit.windowMicros() : 1;
  }

  void add(long atMicros, long permits) {
    moveTo(atMicros);
    switch (limit.algorithm()) {
      case TOKEN_BUCKET, LEAKY_BUCKET -> level += permits * parts;
      case SLIDING_LOG -> append(permits);
      default -> count += permits;
    }
  }

  /** A log has at most as many entries as permits: what comes then joins the newest. */
  private void append(long permits) {
    if (permits > 0) {
      boolean same = !log.isEmpty() && log.getLast().micros == micros;
      boolean joins = same || log.size() >= limit.permits();
      long before = joins ? log.removeLast().permits : 0;
      log.addLast(new Entry(micros, before + permits));
    }
  }

  /** The newest first. */
  void takeBack(long atMicros, long permits) {
    moveTo(atMicros);
    switch (limit.algorithm()) {
      case TOKEN_BUCKET, LEAKY_BUCKET -> level = Math.max(0, level - permits * parts);
      case SLIDING_LOG -> takeNewest(permits);
      default -> {
        long rest = Math.max(0, permits - count);
        count = Math.max(0, count - permits);
        countBefore = Math.max(0, countBefore - rest);
      }
    }
  }

  private void takeNewest(long permits) {
    long rest = permits;
    while (rest > 0 && !log.isEmpty()) {
      Entry newest = log.removeLast();
      if (newest.permits > rest) {
        log.addLast(new Entry(newest.micros, newest.permits - rest));
      }
      rest -= newest.permits;
    }
  }

  /** In whole permits, rounded up. */
  long used(long atMicros) {
    moveTo(atMicros);
    return (inUse() + parts - 1) / parts;
  }

  /** Whether so much more is within the limit. */
  boolean hasRoom(long atMicros, long permits) {
    moveTo(atMicros);
    return inUse() + permits * parts <= limit.capacity() * parts;
  }

  private long inUse() {
    return switch (limit.algorithm()) {
      case TOKEN_BUCKET, LEAKY_BUCKET -> level;
      case SLIDING_LOG -> log.stream().mapToLong(Entry::permits).sum();
      case SLIDING_COUNTER -> count * parts + countBefore * (parts - (micros - window));
      default -> count;
    };
  }

  private void moveTo(long atMicros) {
    long now = Math.max(micros, atMicros - atMicros % limit.tickMicros());
    long passed = micros == Long.MIN_VALUE ? 0 : now - micros;
    micros = now;
    level = Math.max(0, level - passed * limit.permits());
    while (!log.isEmpty() && log.getFirst().micros + limit.windowMicros() <= now) {
      log.removeFirst();
    }
    boolean aligned = limit.algorithm() == Algorithm.SLIDING_COUNTER;
    long start = aligned ? now - now % limit.windowMicros() : limit.windowStartMicros(now);
    if (start != window) {
      boolean next = aligned && start - window == limit.windowMicros();
      countBefore = next ? count : 0;
      count = 0;
      window = start;
    }
  }
}
