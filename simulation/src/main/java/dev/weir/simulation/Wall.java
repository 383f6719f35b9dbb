package dev.weir.simulation;

import dev.weir.Ticker;
import java.util.ArrayList;
import java.util.List;

/** A clock on the wall of one machine: a little fast or slow, and moved now and then. */
final class Wall implements Ticker {
  private final World world;
  private final long skewPerMillion;
  private long offsetMicros;
  private final List<Long> setBackTo = new ArrayList<>();
  private long latestMicros = Long.MIN_VALUE;

  Wall(World world, long offsetMicros, long skewPerMillion) {
    this.world = world;
    this.offsetMicros = offsetMicros;
    this.skewPerMillion = skewPerMillion;
  }

  @Override
  public long micros() {
    long passed = world.nanos() / 1_000;
    return offsetMicros + passed + passed * skewPerMillion / 1_000_000;
  }

  /** The latest time that it has shown. */
  long latestMicros() {
    return Math.max(latestMicros, micros());
  }

  void jump(long micros) {
    latestMicros = latestMicros();
    offsetMicros += micros;
    if (micros < 0) {
      setBackTo.add(micros());
    }
  }

  /** How often it was set back. */
  int timesSetBack() {
    return setBackTo.size();
  }

  /** The earliest time that it was set back to, but for the first so many times. */
  long earliestSince(int times) {
    return setBackTo.stream().skip(times).mapToLong(Long::longValue).min().orElse(Long.MAX_VALUE);
  }
}
