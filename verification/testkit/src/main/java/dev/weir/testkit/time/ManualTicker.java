package dev.weir.testkit.time;

import dev.weir.time.Ticker;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** A clock that tests move, forwards or backwards, from any thread. */
public final class ManualTicker implements Ticker {
  private final AtomicLong nowMicros;

  /** A clock that starts at {@code startMicros} since the Unix epoch. */
  public ManualTicker(long startMicros) {
    this.nowMicros = new AtomicLong(startMicros);
  }

  /** A clock that starts at {@code sinceEpoch}. */
  public static ManualTicker at(Duration sinceEpoch) {
    return new ManualTicker(micros(sinceEpoch));
  }

  @Override
  public long micros() {
    return nowMicros.get();
  }

  /** Moves the clock to {@code micros} since the Unix epoch. */
  public void setMicros(long micros) {
    nowMicros.set(micros);
  }

  /** Moves the clock to {@code sinceEpoch}. */
  public void set(Duration sinceEpoch) {
    setMicros(micros(sinceEpoch));
  }

  /** Moves the clock by {@code micros}; back if negative. */
  public void advanceMicros(long micros) {
    nowMicros.addAndGet(micros);
  }

  /** Moves the clock by {@code duration}; back if negative. */
  public void advance(Duration duration) {
    advanceMicros(micros(duration));
  }

  /** The duration in microseconds, rounded down, without passing through nanoseconds. */
  public static long micros(Duration duration) {
    return duration.getSeconds() * 1_000_000 + duration.getNano() / 1_000;
  }

  @Override
  public String toString() {
    return nowMicros + " µs";
  }
}
