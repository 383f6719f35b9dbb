package dev.weir.simulation;

import org.jspecify.annotations.Nullable;

/** What one server did with one counter. All in permits. */
final class Holding {
  final Account account;

  // Leases: what the server was told, what it did, what the store did.
  boolean awaiting;
  long awaitingNanos;

  /** Since then it has had nothing to spend. */
  long emptySinceNanos = Long.MAX_VALUE;

  final Held held;
  long refillsTold;
  long refillsUnknown;
  long refillsApplied;
  long leasedSpent;
  long returnsTold;
  long returnsAsked;
  long returnsApplied;

  /** Cost of its requests that are not decided yet. */
  long undecided;

  // What the store has counted and no client got: of which window, and when some came last; and for
  // how long its server had been paused by then.
  long out;
  long outWindow = Long.MIN_VALUE;
  long outNanos = Long.MIN_VALUE / 2;
  long outPausedNanos;

  /** On its way back from the server. */
  long returning;

  // While the store failed.
  final Debt debt = new Debt();
  long chargesTold;
  long chargesUnknown;
  long chargesApplied;

  /** What it counts by itself, also of what the store granted. */
  final Recount recount = new Recount();

  /** The last denial that the store told through it. */
  Retries.@Nullable Denied denied;

  Holding(Account account) {
    this.account = account;
    this.held = new Held(account.limit);
  }
}
