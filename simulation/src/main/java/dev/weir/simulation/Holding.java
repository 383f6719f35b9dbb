package dev.weir.simulation;

import dev.weir.Limit;
import java.util.ArrayList;
import java.util.List;

/** What one server did with one counter. All in permits. */
final class Holding {
  final Account account;

  // Asked for by the server, and put on the network by it.
  long askedTake;
  long sentTake;
  long askedRefund;
  long sentRefund;
  long askedCharge;
  long sentCharge;

  // Leases: what the server was told, what it did, what the store did.
  boolean awaiting;
  long refillsTold;
  long refillsUnknown;
  long refillsApplied;
  long leasedSpent;
  long returnsTold;
  long returnsAsked;
  long returnsApplied;

  // While the store failed.
  long owed;
  long owedSinceMicros;
  long chargesTold;
  long chargesUnknown;
  long chargesApplied;
  boolean chargesUndone;

  /** When the store last counted something for it here. */
  long spentNanos = Long.MIN_VALUE;

  /** What it let pass by itself. */
  final List<Alone> alone = new ArrayList<>();

  /**
   * Something that it let pass by itself, or was given back.
   *
   * @param nanos when that was counted
   * @param micros the same by its own clock
   * @param noted whether the store granted it, and it was noted only as far as there was room
   * @param epoch another one when it has heard something new of the others, or its clock was moved:
   *     then counting begins anew
   */
  record Alone(long nanos, long micros, long amount, Limit part, boolean noted, int epoch) {}

  Holding(Account account) {
    this.account = account;
  }
}
