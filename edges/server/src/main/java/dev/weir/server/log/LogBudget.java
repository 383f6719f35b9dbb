package dev.weir.server.log;

import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** Bounds log lines per minute and counts the suppressed ones. Thread-safe. */
public final class LogBudget {
  private static final long MINUTE_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final int perMinute;
  private final LongSupplier nanos;
  private long startNanos;
  private int written;
  private long suppressed;

  /** A budget of {@code perMinute} lines. */
  public LogBudget(int perMinute) {
    this(perMinute, System::nanoTime);
  }

  LogBudget(int perMinute, LongSupplier nanos) {
    this.perMinute = perMinute;
    this.nanos = nanos;
    this.startNanos = nanos.getAsLong();
  }

  /**
   * Requests to write a line.
   *
   * @return how many lines were suppressed since the last one written; empty if this line must be
   *     suppressed too
   */
  public synchronized OptionalLong take() {
    long now = nanos.getAsLong();
    if (now - startNanos >= MINUTE_NANOS) {
      startNanos = now;
      written = 0;
    }
    if (written >= perMinute) {
      suppressed++;
      return OptionalLong.empty();
    }
    written++;
    long before = suppressed;
    suppressed = 0;
    return OptionalLong.of(before);
  }
}
