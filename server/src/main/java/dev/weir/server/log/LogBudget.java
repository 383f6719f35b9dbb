package dev.weir.server.log;

import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** So many lines in a minute; the others are only counted. */
public final class LogBudget {
  private static final long MINUTE_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final int perMinute;
  private final LongSupplier nanos;
  private long startNanos;
  private int written;
  private long leftOut;

  public LogBudget(int perMinute) {
    this(perMinute, System::nanoTime);
  }

  LogBudget(int perMinute, LongSupplier nanos) {
    this.perMinute = perMinute;
    this.nanos = nanos;
    this.startNanos = nanos.getAsLong();
  }

  /** How many lines were left out before this one; nothing, if this one is left out too. */
  public synchronized OptionalLong take() {
    long now = nanos.getAsLong();
    if (now - startNanos >= MINUTE_NANOS) {
      startNanos = now;
      written = 0;
    }
    if (written >= perMinute) {
      leftOut++;
      return OptionalLong.empty();
    }
    written++;
    long before = leftOut;
    leftOut = 0;
    return OptionalLong.of(before);
  }
}
