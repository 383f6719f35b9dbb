package dev.weir.simulation.world;

import dev.weir.time.Ticker;
import java.util.ArrayList;
import java.util.List;

/** The wall clock of one machine: it runs a little fast or slow, and jumps now and then. */
public final class WallClock implements Ticker {
  private final World world;
  private final long skewPerMillion;
  private long offsetMicros;
  private final List<Long> setBackTo = new ArrayList<>();
  private long latestMicros = Long.MIN_VALUE;

  /**
   * A clock that shows {@code offsetMicros} at the start of the run.
   *
   * @param skewPerMillion how much faster than the virtual time it runs; negative for slower
   */
  public WallClock(World world, long offsetMicros, long skewPerMillion) {
    this.world = world;
    this.offsetMicros = offsetMicros;
    this.skewPerMillion = skewPerMillion;
  }

  @Override
  public long micros() {
    long passed = world.nanos() / 1_000;
    return offsetMicros + passed + passed * skewPerMillion / 1_000_000;
  }

  /** The latest time that the clock has shown. */
  public long latestMicros() {
    return Math.max(latestMicros, micros());
  }

  /** Sets the clock forward, or back if negative. */
  public void jump(long micros) {
    latestMicros = latestMicros();
    offsetMicros += micros;
    if (micros < 0) {
      setBackTo.add(micros());
    }
  }

  /** How often the clock was set back. */
  public int timesSetBack() {
    return setBackTo.size();
  }

  /** The earliest time that the clock was set back to, without the first {@code times} times. */
  public long earliestSince(int times) {
    return setBackTo.stream().skip(times).mapToLong(Long::longValue).min().orElse(Long.MAX_VALUE);
  }
}
