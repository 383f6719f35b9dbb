package dev.weir.simulation;

import dev.weir.Ticker;

/** A clock on the wall of one machine: a little fast or slow, and moved now and then. */
final class Wall implements Ticker {
  private final World world;
  private final long skewPerMillion;
  private long offsetMicros;
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
  }
}
