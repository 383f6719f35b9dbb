package dev.weir.simulation.audit;

import dev.weir.Algorithm;
import dev.weir.Limit;
import dev.weir.Mode;
import dev.weir.simulation.audit.Account.Counted;
import dev.weir.simulation.audit.Account.Denial;
import dev.weir.simulation.audit.Account.Entry;
import dev.weir.simulation.model.AdmissionBound;
import dev.weir.simulation.model.ConcurrencyModel;
import dev.weir.simulation.world.World;
import java.util.ArrayDeque;
import java.util.Deque;

/** Checks the history of each counter at the end of a run. */
public final class HistoryCheck {
  private HistoryCheck() {}

  /**
   * Checks all accounts.
   *
   * @param calm whether no fault was injected
   */
  public static void check(Audit audit, boolean calm) {
    for (Account account : audit.accounts()) {
      if (account.limit.algorithm() == Algorithm.CONCURRENCY) {
        checkConcurrency(audit, account);
      } else if (account.mode.kind() != Mode.Kind.LOCAL) {
        checkBound(audit, account);
      }
      if (calm) {
        checkPoliteDenials(audit, account);
      }
      if (calm && account.leases() && account.peakHeld > account.leaseShare()) {
        String description =
            "servers may have held " + account.peakHeld + " of " + account.leaseShare();
        audit.violate(Invariant.LEASED, account, description);
      }
    }
  }

  /**
   * In any window a polite client is denied no more than servers hold. Below its rate it is never
   * denied, as long as servers cannot hold all of the rest.
   */
  private static void checkPoliteDenials(Audit audit, Account account) {
    boolean smallShare = account.mode.share() <= Mode.DEFAULT_LEASE;
    boolean neverDenied = !account.leases() || (smallShare && !account.group.load().atRate());
    long maxDenied = neverDenied ? 0 : account.leaseShare() + account.group.load().cost() - 1;
    Deque<Denial> inWindow = new ArrayDeque<>();
    long denied = 0;
    for (Denial denial : account.politeDenials) {
      inWindow.addLast(denial);
      denied += denial.cost();
      while (!inOneWindow(account.limit, inWindow.getFirst(), denial)) {
        denied -= inWindow.removeFirst().cost();
      }
      if (denied > maxDenied) {
        String description =
            "denied " + denied + " without a fault, where at most " + maxDenied + " may be";
        audit.violateAt(denial.nanos(), Invariant.POLITE, account, description);
      }
    }
  }

  private static boolean inOneWindow(Limit limit, Denial first, Denial last) {
    return limit.algorithm() == Algorithm.FIXED_WINDOW
        ? limit.windowStartMicros(first.requestedMicros())
            == limit.windowStartMicros(last.requestedMicros())
        : last.nanos() - first.nanos() < World.micros(limit.windowMicros());
  }

  private static void checkBound(Audit audit, Account account) {
    Invariant invariant = account.leases() ? Invariant.LEASED : Invariant.STRICT;
    AdmissionBound bound = new AdmissionBound(account.limit);
    for (Entry entry : account.history) {
      Counted counted = entry.counted();
      if (!account.leases() && counted != null && counted.isLost()) {
        continue;
      }
      bound = counted == null ? new AdmissionBound(account.limit) : bound;
      bound.setSlack(entry.micros(), entry.slack());
      if (counted == null) {
        continue;
      }
      if (!counted.checked()) {
        bound.record(entry.micros(), counted.amount());
        continue;
      }
      long excess = bound.admit(entry.micros(), counted.amount());
      if (excess > 0) {
        String description = excess + " more than " + account.limit + " allows";
        String held = account.leases() ? " with " + entry.slack() + " held in advance" : "";
        audit.violateAt(entry.nanos(), invariant, account, description + held);
        return;
      }
    }
  }

  /** At no time are there more holders with unexpired permits than permits. */
  private static void checkConcurrency(Audit audit, Account account) {
    ConcurrencyModel holders = new ConcurrencyModel();
    for (Entry entry : account.history) {
      Counted counted = entry.counted();
      if (counted == null || counted.isLost()) {
        continue;
      }
      if (counted.amount() < 0) {
        holders.release(entry.micros(), counted.holder(), account.limit);
        continue;
      }
      holders.acquire(entry.micros(), counted.holder(), account.limit);
      long used = holders.inUse(entry.micros(), account.limit);
      if (used > account.limit.permits()) {
        String description = used + " at a time, of " + account.limit;
        audit.violateAt(entry.nanos(), Invariant.STRICT, account, description);
        return;
      }
    }
  }
}
