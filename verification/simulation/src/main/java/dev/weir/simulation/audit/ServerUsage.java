package dev.weir.simulation.audit;

import dev.weir.simulation.model.HeldPermits;
import dev.weir.simulation.model.LocalCounterModel;
import dev.weir.simulation.model.PendingChargeModel;
import org.jspecify.annotations.Nullable;

/** What one server did with one counter, in permits. */
final class ServerUsage {
  final Account account;

  // Leases: what was confirmed to the server, what it did, what the store applied.
  boolean refillPending;
  long refillSentNanos;

  /** Since then the server has had nothing to spend. */
  long emptySinceNanos = Long.MAX_VALUE;

  final HeldPermits heldPermits;
  long refillsConfirmed;
  long refillsUnknown;
  long refillsApplied;
  long leasedSpent;
  long returnsConfirmed;
  long returnsSent;
  long returnsApplied;

  /** Cost of its requests without a decision so far. */
  long undecided;

  // Permits that the store counted and no client got; their window, the time of the last refill,
  // and
  // how long the server had been paused by then.
  long outstanding;
  long outstandingWindow = Long.MIN_VALUE;
  long lastRefillNanos = Long.MIN_VALUE / 2;
  long pausedBeforeRefillNanos;

  /** Permits on their way back from the server. */
  long returnsInFlight;

  // Local grants while the store failed, and their charges.
  final PendingChargeModel pendingCharge = new PendingChargeModel();
  long chargesConfirmed;
  long chargesUnknown;
  long chargesApplied;

  /** What the server counts locally, grants by the store included. */
  final LocalCounterModel localCounter = new LocalCounterModel();

  /** The last denial by the store that went through this server. */
  @Nullable StoreDenial lastDenial;

  /**
   * A denial by the store that a server passed on to a client.
   *
   * @param chargeCount the charge count of the account when the store denied
   */
  record StoreDenial(long cost, long waitMicros, long nanos, long chargeCount) {}

  ServerUsage(Account account) {
    this.account = account;
    this.heldPermits = new HeldPermits(account.limit);
  }
}
