package dev.weir.simulation;

import dev.weir.Algorithm;
import dev.weir.Mode;
import dev.weir.simulation.Account.Entry;
import dev.weir.simulation.Holding.Alone;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;

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
      // With a larger share, servers may hold all of what is left.
      boolean small = !account.leases() || account.mode.share() <= Mode.USUAL_LEASE;
      if (calm && small && account.politelyDenied > 0) {
        String what = "denied " + account.politelyDenied + ", though nothing went wrong";
        audit.violateAt(account.politelyDeniedNanos, Invariant.POLITE, account, what);
      }
      if (calm && account.leases() && account.mostHeld > account.share()) {
        String what = "servers may have held " + account.mostHeld + " of " + account.share();
        audit.violate(Invariant.LEASED, account, what);
      }
    }
    for (Node node : audit.nodes()) {
      node.holdings.values().forEach(holding -> alone(audit, node, holding));
    }
  }

  /** Never more than its part by its own clock, as long as it hears nothing new of the others. */
  private static void alone(Audit audit, Node node, Holding holding) {
    holding.alone.sort(Comparator.comparingLong(Alone::nanos));
    Bound bound = null;
    int epoch = 0;
    boolean known = true;
    for (Alone one : holding.alone) {
      if (bound == null || one.epoch() != epoch) {
        // What was noted before is carried over in a way that is not seen from outside.
        known = bound == null && one.part().algorithm() != Algorithm.SLIDING_COUNTER;
        bound = new Bound(one.part());
        epoch = one.epoch();
      }
      if (one.noted() && !known) {
        continue;
      }
      long excess = bound.admit(one.micros(), one.amount());
      if (excess > 0 && one.noted()) {
        bound.add(one.micros(), -one.amount());
        long fits = one.amount() - excess; // the rest is more than its part
        if (fits > 0 && bound.admit(one.micros(), fits) > 0) {
          bound.add(one.micros(), -fits);
        }
      } else if (excess > 0 && one.amount() > 0) {
        String what = node + " alone let pass " + excess + " more than its part, " + one.part();
        audit.violateAt(one.nanos(), Invariant.OUTAGE, holding.account, what);
        return;
      }
    }
  }

  private static void bound(Audit audit, Account account) {
    Invariant invariant = account.leases() ? Invariant.LEASED : Invariant.STRICT;
    Bound bound = new Bound(account.limit);
    for (Entry entry : account.history) {
      if (!account.leases() && entry.message() != null && entry.message().forgotten) {
        continue;
      }
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
    Map<Long, Long> expiry = new HashMap<>();
    for (Entry entry : account.history) {
      if (entry.message() != null && entry.message().forgotten) {
        continue;
      }
      if (entry.amount() < 0) {
        expiry.remove(entry.permit());
        continue;
      }
      expiry.values().removeIf(end -> end <= entry.micros());
      expiry.put(entry.permit(), entry.micros() + account.limit.windowMicros());
      if (expiry.size() > account.limit.permits()) {
        String what = expiry.size() + " at a time, of " + account.limit;
        audit.violateAt(entry.nanos(), Invariant.STRICT, account, what);
        return;
      }
    }
  }
}
