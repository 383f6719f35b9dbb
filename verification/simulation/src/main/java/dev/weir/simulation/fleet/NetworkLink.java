package dev.weir.simulation.fleet;

import dev.weir.simulation.fleet.CentralStore.Health;
import dev.weir.simulation.world.World;

/** The network between one server and the store: its delay, its losses, and whether it is cut. */
final class NetworkLink {
  private static final long MIN_NANOS = World.micros(150);
  private static final long MAX_NANOS = World.millis(2);

  private final World world;
  double requestLoss;
  double replyLoss;
  double stallProbability;
  long extraDelayNanos;

  /** UP, or how a cut link looks to the server: SILENT or REFUSING. */
  Health state = Health.UP;

  NetworkLink(World world) {
    this.world = world;
  }

  boolean losesRequest() {
    return state == Health.SILENT || (requestLoss > 0 && world.chance(requestLoss));
  }

  boolean losesReply() {
    return state != Health.UP || (replyLoss > 0 && world.chance(replyLoss));
  }

  /** Draws the delay of one message; messages overtake each other. */
  long delayNanos() {
    long usual = world.between(MIN_NANOS, MAX_NANOS);
    long slow = extraDelayNanos == 0 ? 0 : world.between(0, extraDelayNanos);
    boolean stalled = stallProbability > 0 && world.chance(stallProbability);
    return usual + slow + (stalled ? world.between(World.millis(20), World.millis(600)) : 0);
  }
}
