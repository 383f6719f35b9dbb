package dev.weir.simulation;

import dev.weir.Ticker;

/** A clock on the wall of one machine: a little fast or slow, and moved now and then. */
final class Wall implements Ticker {
  private final World world;
  private final long skewPerMillion;
  private long offsetMicros;

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

  void jump(long micros) {
    offsetMicros += micros;
  }
}
