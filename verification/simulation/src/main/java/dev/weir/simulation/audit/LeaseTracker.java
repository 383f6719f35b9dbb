package dev.weir.simulation.audit;

import dev.weir.Mode;
import dev.weir.simulation.exchange.AuditedServer;
import dev.weir.simulation.exchange.ClientRequest;
import dev.weir.simulation.exchange.StoreCall.Result;
import dev.weir.simulation.exchange.StoreMessage;
import dev.weir.simulation.world.EventType;
import dev.weir.simulation.world.WallClock;
import dev.weir.simulation.world.World;
import org.jspecify.annotations.Nullable;

/** Follows the permits that servers lease and return. */
final class LeaseTracker {
  private final World world;
  private final WallClock clock;
  private final Audit audit;

  LeaseTracker(World world, WallClock clock, Audit audit) {
    this.world = world;
    this.clock = clock;
    this.audit = audit;
  }

  /** Checks that a server sends one refill at a time. */
  void onRefillSent(AuditedServer server, ServerUsage usage, long cost) {
    if (usage.refillPending) {
      audit.violate(Invariant.LEASED, usage.account, server + " sends two refills at a time");
    }
    usage.refillPending = true;
    usage.refillSentNanos = world.nanos();
    checkShare(server, usage, cost);
  }

  /** Records the result of a refill. */
  void onRefillEnded(
      AuditedServer server,
      ServerUsage usage,
      @Nullable StoreMessage refill,
      long cost,
      Result result) {
    usage.refillPending = false;
    switch (result) {
      case GRANTED -> {
        boolean automatic = usage.account.mode.kind() == Mode.Kind.AUTOMATIC;
        world.count(automatic ? EventType.AUTOMATIC_LEASE : EventType.LEASE);
        usage.refillsConfirmed += cost;
        // A server that was paused returns a late refill and spends none of it.
        boolean late = world.nanos() - usage.refillSentNanos > World.millis(1_000);
        usage.emptySinceNanos = late ? world.nanos() : Long.MAX_VALUE;
        if (!late && refill != null) {
          usage.heldPermits.refilled(refill.appliedMicros, cost, world.nanos());
        }
        checkShare(server, usage, 0);
      }
      case UNKNOWN -> {
        usage.refillsUnknown += cost;
        if (refill != null) {
          refill.abandoned = true;
          recordLoss(usage, refill.changedCounter() ? cost : 0);
        }
      }
      case NOT_APPLIED -> {}
    }
  }

  /** Records a request that did not pass, though leased permits may have been spent for it. */
  void onUnspent(ClientRequest request, ServerUsage usage, long cost) {
    usage.heldPermits.unspend(cost, request.startNanos, world.nanos(), clock.micros());
    checkShare(request.server, usage, 0);
  }

  /** Checks that what a server holds at least, with what it requests, is within its share. */
  private void checkShare(AuditedServer server, ServerUsage usage, long more) {
    Account account = usage.account;
    long max = server.fleetModel().maxHeld(account.leaseShare());
    // A permit that is being spent at this moment is not recorded yet; where another rule has to
    // call the store, for a while.
    boolean singleRule = account.group.rules().size() == 1;
    ClientRequest current = audit.currentRequest();
    long spending = current == null ? 0 : current.match.claims().get(0).cost();
    long undecided = singleRule ? spending : usage.undecided;
    long held = usage.heldPermits.min(undecided, world.nanos(), clock.micros());
    if (held + more > max) {
      String description =
          server + " leases " + more + " with " + held + " where it may hold " + max;
      audit.violate(Invariant.LEASED, account, description);
    }
  }

  /** Records that a server returns permits of a lease. */
  void onReturnSent(ServerUsage usage, long cost) {
    usage.returnsSent += cost;
    usage.returnsInFlight += cost;
    usage.heldPermits.giveBack(cost, world.nanos());
  }

  /** Records the result of a return. */
  void onReturnEnded(ServerUsage usage, @Nullable StoreMessage sent, long cost, Result result) {
    usage.returnsInFlight -= cost;
    if (result == Result.GRANTED) {
      usage.returnsConfirmed += cost;
    } else {
      recordLoss(usage, sent != null && sent.changedCounter() ? 0 : cost);
    }
  }

  private static void recordLoss(ServerUsage usage, long cost) {
    if (usage.account.politeModel != null) {
      usage.account.politeModel.recordLoss(usage, cost);
    }
  }

  /** Voids the leases of a server that has learned that the store lost all its data. */
  void onStoreDataLost(AuditedServer server) {
    for (ServerUsage usage : audit.usages(server)) {
      usage.heldPermits.clear();
      recordLoss(usage, Long.MAX_VALUE);
    }
  }

  /** Adds permits on their way back; negative, when they have arrived or are lost for good. */
  void addReturnsInFlight(Account account, long more) {
    account.returnsInFlight += more;
    recordSlack(account);
  }

  private void recordSlack(Account account) {
    account.record(world.nanos(), clock.micros(), 0, false);
  }

  /** A paused server keeps what it has until it resumes. */
  private static long maxHeld(AuditedServer server, Account account) {
    return server.isPaused()
        ? server.fleetModel().maxHeldWhilePaused(account.leaseShare())
        : server.fleetModel().maxHeld(account.leaseShare());
  }

  /** Recomputes what all servers may hold; what a dead server held is lost. */
  void updateMaxHeld() {
    for (Account account : audit.accounts()) {
      if (account.leases()) {
        long held = 0;
        long serving = 0;
        for (AuditedServer server : audit.servers()) {
          recordLoss(audit.usage(server, account), server.isAlive() ? 0 : Long.MAX_VALUE);
          long part = maxHeld(server, account);
          held += server.isAlive() ? part : 0;
          serving += server.isServing() ? part : 0;
        }
        account.maxHeld = held;
        account.peakHeld = Math.max(account.peakHeld, serving);
        recordSlack(account);
      }
    }
  }
}
