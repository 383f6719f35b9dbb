package dev.weir.simulation.audit;

import dev.weir.Algorithm;
import dev.weir.Limit;
import dev.weir.simulation.exchange.AuditedServer;
import dev.weir.simulation.exchange.StoreMessage;
import dev.weir.simulation.model.CounterModel;
import dev.weir.simulation.world.WallClock;
import dev.weir.simulation.world.World;

/**
 * Decides whether the denial of a polite client was justified.
 *
 * <p>The client's own usage is what it got, when the store counted it or a server spent it, and
 * what faults took from it. The store may have counted more: what servers hold of the counter, each
 * at most its part and for a second, and what is on its way back. A denial is justified if the
 * request would not fit next to all of this.
 */
final class PoliteClientModel {
  /**
   * An unused lease is back this long after its last refill: a second, a tenth of one until the
   * next check, and the time of the message.
   */
  private static final long LEASE_NANOS = World.millis(1_150);

  /**
   * This long before a window ends, a server may drop what is left of a lease and start another.
   */
  private static final long WINDOW_END_MICROS = 150_000;

  private final World world;
  private final WallClock clock;
  private final Limit limit;
  private final CounterModel own;

  PoliteClientModel(World world, WallClock clock, Limit limit) {
    this.world = world;
    this.clock = clock;
    this.limit = limit;
    this.own = new CounterModel(limit);
  }

  /** Records what was counted for the client, or lost to a fault. */
  void recordCounted(long cost) {
    own.add(clock.micros(), cost);
  }

  /** Records a refill of a server; if the server is gone or gave up, the refill is lost. */
  void recordRefill(ServerUsage usage, StoreMessage message, long cost) {
    if (message.abandoned || !message.server.isAlive()) {
      recordCounted(cost);
      return;
    }
    recordCounted(0);
    dropEndedWindow(usage);
    usage.outstanding += cost;
    usage.lastRefillNanos = world.nanos();
    usage.pausedBeforeRefillNanos = message.server.pausedNanos();
  }

  /** Records that the client got permits that a server held. */
  void recordSpend(ServerUsage usage, long cost) {
    dropEndedWindow(usage);
    usage.outstanding = Math.max(0, usage.outstanding - cost);
    recordCounted(cost);
  }

  /** Records that a fault took permits that a server held or was returning. */
  void recordLoss(ServerUsage usage, long cost) {
    dropEndedWindow(usage);
    long lost = Math.min(usage.outstanding, cost);
    usage.outstanding -= lost;
    recordCounted(lost);
  }

  /** Records that returned permits have arrived, also if the server gave up waiting. */
  void recordReturn(ServerUsage usage, long cost) {
    dropEndedWindow(usage);
    long held = Math.min(usage.outstanding, cost);
    usage.outstanding -= held;
    own.refund(clock.micros(), cost - held);
  }

  /** Permits leased from a window end with it. */
  private void dropEndedWindow(ServerUsage usage) {
    long start = limit.windowStartMicros(clock.micros());
    if (limit.algorithm() == Algorithm.FIXED_WINDOW && start > usage.outstandingWindow) {
      usage.outstandingWindow = start;
      usage.outstanding = 0;
    }
  }

  /** Permits that a server holds and has not even sent back. */
  long unreturned(ServerUsage usage) {
    dropEndedWindow(usage);
    return isNearWindowEnd() ? 0 : Math.max(0, usage.outstanding - usage.returnsInFlight);
  }

  /** Whether the store had to deny the request. */
  boolean isDenialJustified(Audit audit, Account account, long cost) {
    long held = 0;
    for (AuditedServer server : audit.servers()) {
      ServerUsage usage = audit.usage(server, account);
      dropEndedWindow(usage);
      long paused = server.pausedNanos() - usage.pausedBeforeRefillNanos;
      boolean mayHold = world.nanos() - usage.lastRefillNanos - paused <= LEASE_NANOS;
      // A paused server keeps what it has, whatever its part is now.
      long part =
          paused > 0 ? usage.outstanding : server.fleetModel().maxHeld(account.leaseShare());
      long max = usage.returnsInFlight + (mayHold ? part : 0) + (isNearWindowEnd() ? part : 0);
      held += Math.min(usage.outstanding, max);
    }
    return !own.hasRoom(clock.micros(), cost + held);
  }

  private boolean isNearWindowEnd() {
    long now = clock.micros();
    return limit.algorithm() == Algorithm.FIXED_WINDOW
        && limit.windowEndMicros(limit.windowStartMicros(now)) - now < WINDOW_END_MICROS;
  }
}
