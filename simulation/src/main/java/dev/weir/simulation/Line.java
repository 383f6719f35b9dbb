package dev.weir.simulation;

import dev.weir.simulation.Central.Health;

/**
 * The way between one server and the store: how long it takes, what it loses, whether it is cut.
 */
final class Line {
  private static final long LEAST = World.micros(150);
  private static final long MOST = World.millis(2);

  private final World world;
  double losesRequests;
  double losesReplies;
  double stalls;
  long slowNanos;

  /** UP, or how it looks from the server: SILENT or REFUSING. */
  Health state = Health.UP;

  Line(World world) {
    this.world = world;
  }

  boolean losesRequest() {
    return state == Health.SILENT || (losesRequests > 0 && world.chance(losesRequests));
  }

  boolean losesReply() {
    return state != Health.UP || (losesReplies > 0 && world.chance(losesReplies));
  }

  /** Each message has its own delay, so they overtake each other. */
  long delay() {
    long usual = world.between(LEAST, MOST);
    long slow = slowNanos == 0 ? 0 : world.between(0, slowNanos);
    boolean stalled = stalls > 0 && world.chance(stalls);
    return usual + slow + (stalled ? world.between(World.millis(20), World.millis(600)) : 0);
  }
}
