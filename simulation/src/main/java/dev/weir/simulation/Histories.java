package dev.weir.simulation;

import dev.weir.Algorithm;
import dev.weir.Limit;
import dev.weir.Mode;
import dev.weir.simulation.Account.Denial;
import dev.weir.simulation.Account.Entry;
import java.util.ArrayDeque;
import java.util.Deque;

/** Goes through what happened to each counter once all is over. */
final class Histories {
  private Histories() {}

  /**
   * @param calm whether nothing went wrong
   */
  static void check(Audit audit, boolean calm) {
    for (Account account : audit.accounts()) {
      if (account.limit.algorithm() == Algorithm.CONCURRENCY) {
        places(audit, account);
      } else if (account.mode.kind() != Mode.Kind.LOCAL) {
        bound(audit, account);
      }
      if (calm) {
        polite(audit, account);
      }
      if (calm && account.leases() && account.mostHeld > account.share()) {
        String what = "servers may have held " + account.mostHeld + " of " + account.share();
        audit.violate(Invariant.LEASED, account, what);
      }
    }
  }

  /**
   * In any window who is polite is denied no more than servers hold. At less than its rate it is
   * never denied, as long as they cannot hold all of what is left.
   */
  private static void polite(Audit audit, Account account) {
    boolean small = account.mode.share() <= Mode.USUAL_LEASE;
    boolean never = !account.leases() || (small && !account.group.atRate());
    long most = never ? 0 : account.share() + account.group.cost() - 1;
    Deque<Denial> ofWindow = new ArrayDeque<>();
    long denied = 0;
    for (Denial one : account.politelyDenied) {
      ofWindow.addLast(one);
      denied += one.cost();
      while (!inOneWindow(account.limit, ofWindow.getFirst(), one)) {
        denied -= ofWindow.removeFirst().cost();
      }
      if (denied > most) {
        String what = "denied " + denied + " where at most " + most + " are, as nothing went wrong";
        audit.violateAt(one.nanos(), Invariant.POLITE, account, what);
      }
    }
  }

  private static boolean inOneWindow(Limit limit, Denial first, Denial last) {
    return limit.algorithm() == Algorithm.FIXED_WINDOW
        ? limit.windowStartMicros(first.askedMicros())
            == limit.windowStartMicros(last.askedMicros())
        : last.nanos() - first.nanos() < World.micros(limit.windowMicros());
  }

  private static void bound(Audit audit, Account account) {
    Invariant invariant = account.leases() ? Invariant.LEASED : Invariant.STRICT;
    Bound bound = new Bound(account.limit);
    for (Entry entry : account.history) {
      if (!account.leases() && entry.message() != null && entry.message().forgotten) {
        continue;
      }
      bound = entry.anew() ? new Bound(account.limit) : bound;
      bound.slack(entry.micros(), entry.slack());
      if (!entry.checked()) {
        bound.add(entry.micros(), entry.amount());
        continue;
      }
      long excess = bound.admit(entry.micros(), entry.amount());
      if (excess > 0) {
        String what = excess + " more than " + account.limit + " allows";
        String held = account.leases() ? " with " + entry.slack() + " held in advance" : "";
        audit.violateAt(entry.nanos(), invariant, account, what + held);
        return;
      }
    }
  }

  /** Never more at a time than there are places, by those who have not been there too long. */
  private static void places(Audit audit, Account account) {
    Places places = new Places();
    for (Entry entry : account.history) {
      if (entry.message() != null && entry.message().forgotten) {
        continue;
      }
      if (entry.amount() < 0) {
        places.leave(entry.micros(), entry.permit(), account.limit);
        continue;
      }
      places.enter(entry.micros(), entry.permit(), account.limit);
      long used = places.used(entry.micros(), account.limit);
      if (used > account.limit.permits()) {
        String what = used + " at a time, of " + account.limit;
        audit.violateAt(entry.nanos(), Invariant.STRICT, account, what);
        return;
      }
    }
  }
}
