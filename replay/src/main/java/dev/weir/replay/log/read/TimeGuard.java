package dev.weir.replay.log.read;

import dev.weir.replay.log.line.RecordedRequest;
import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Refuses lines whose time cannot be right, by an hour or more.
 *
 * <p>Back: nothing can sort them without holding the whole file, and a clock does not do that.
 * Ahead: a night without requests looks the same at first, so the line waits for the next one. If
 * that goes back to where the log was, the line was wrong. One wrong line thus never makes others
 * wrong.
 *
 * <p>If a file jumps back as a whole, because it was put together in the wrong order, all lines
 * behind the jump are refused; given as several files they are merged. For one thread.
 */
final class TimeGuard {
  private static final long LIMIT_MICROS = 3_600_000_000L;

  private final Refusals refusals;
  private final Queue<RecordedRequest> ready = new ArrayDeque<>();
  private @Nullable RecordedRequest pending;
  private long latest = Long.MIN_VALUE;

  /** Hears of what is refused. */
  @FunctionalInterface
  interface Refusals {
    /** A request is refused. */
    void onRefused(RecordedRequest request, String reason);
  }

  TimeGuard(Refusals refusals) {
    this.refusals = refusals;
  }

  /** Takes the next request of the file; returns it if it is right, or else see {@link #poll}. */
  @Nullable RecordedRequest offer(RecordedRequest request) {
    long written = request.writtenMicros();
    if (pending == null && isNear(written)) {
      latest = Math.max(latest, written);
      return request;
    }
    decide(request, written);
    return poll();
  }

  /** A request that had to wait; null if there is none. */
  @Nullable RecordedRequest poll() {
    return ready.poll();
  }

  /** Ends the file: nothing speaks against what waits. */
  void end() {
    if (pending != null) {
      ready.add(pending);
      pending = null;
    }
  }

  private boolean isNear(long written) {
    return latest != Long.MIN_VALUE
        && written > latest - LIMIT_MICROS
        && written < latest + LIMIT_MICROS;
  }

  private void decide(RecordedRequest request, long written) {
    RecordedRequest ahead = pending;
    if (ahead != null) {
      pending = null;
      long time = ahead.writtenMicros();
      if (written <= time - LIMIT_MICROS && (latest == Long.MIN_VALUE || isSensible(written))) {
        refusals.onRefused(
            ahead,
            "time runs ahead by "
                + span(time - written)
                + " and back again (expected: less than 1 h)");
      } else {
        ready.add(ahead);
        latest = Math.max(latest, time);
      }
    }
    if (latest == Long.MIN_VALUE || written >= latest + LIMIT_MICROS) {
      pending = request;
    } else if (isNear(written)) {
      latest = Math.max(latest, written);
      ready.add(request);
    } else {
      refusals.onRefused(
          request,
          "time runs backwards by " + span(latest - written) + " (expected: less than 1 h)");
    }
  }

  /** Whether a time can follow what was accepted. */
  private boolean isSensible(long written) {
    return written > latest - LIMIT_MICROS;
  }

  private static String span(long micros) {
    long minutes = micros / 60_000_000;
    if (minutes < 120) {
      return minutes + " min";
    }
    long hours = minutes / 60;
    return hours < 72 ? hours + " h" : hours / 24 + " days";
  }
}
