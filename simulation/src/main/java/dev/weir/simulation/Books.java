package dev.weir.simulation;

import dev.weir.Limit;
import dev.weir.lease.ByMode.Counts;

/** What servers report of themselves, set against what was seen from outside. */
final class Books {
  private Books() {}

  /** Whether the leases of a server that holds nothing any more add up. */
  static void balance(Audit audit, Node node) {
    Counts counts = node.byMode.counts();
    long paid = 0;
    long spent = 0;
    long returned = 0;
    for (Holding holding : node.holdings.values()) {
      paid += holding.refillsTold + holding.refillsUnknown;
      spent += holding.leasedSpent;
      returned += holding.returnsTold;
      long unheard = holding.returnsAsked - holding.returnsTold;
      if (holding.returnsApplied < holding.returnsTold
          || holding.returnsApplied > holding.returnsTold + unheard) {
        String what =
            node
                + " gave back "
                + holding.returnsTold
                + ", the store has "
                + holding.returnsApplied;
        audit.violate(Invariant.ONCE, holding.account, what);
      }
    }
    if (counts.returned() != returned) {
      Invariant invariant = returned > counts.returned() ? Invariant.ONCE : Invariant.BOOKS;
      audit.violate(invariant, node, "reports " + counts + ", gave back " + returned);
    }
    if (paid != spent + counts.returned() + counts.stranded()) {
      String what = "leased " + paid + " and spent " + spent + ", but reports " + counts;
      audit.violate(Invariant.BOOKS, node, what);
    }
  }

  /**
   * What was granted without the store is charged to it: what has not flowed back by the clock of
   * the server, and to a store that has forgotten everything all that the server knows of.
   */
  static void charging(Audit audit, Node node, Holding holding, long cost) {
    long micros = node.wall.micros();
    long capacity = holding.account.limit.capacity();
    long owed = Math.min(capacity, holding.debt.used(micros));
    long least = Math.min(capacity, holding.debt.surelyUsed(micros));
    Limit part = node.census.part(holding.account.limit);
    boolean sure = holding.recount.isSure(node.wall, part);
    long known = Math.min(part.capacity(), holding.recount.used(micros, part));
    long tells = node.tellsAll() ? known : 0;
    long mayTell = node.tellsAll() && !sure ? part.capacity() : tells;
    holding.debt.clear();
    String what = node + " charges " + cost + ", owes " + owed + ", knows of " + known;
    if (cost > Math.max(owed, mayTell)) {
      audit.violate(Invariant.ONCE, holding.account, what);
    }
    if (cost < least || (sure && cost < tells)) {
      audit.violate(Invariant.BOOKS, holding.account, what);
    }
  }

  /** Whether what was granted without the store is known to it by now. */
  static void settled(Audit audit, Node node) {
    long told = 0;
    long unknown = 0;
    for (Holding holding : node.holdings.values()) {
      told += holding.chargesTold;
      unknown += holding.chargesUnknown;
      settled(audit, node, holding);
    }
    if (!node.isAsking()) {
      audit.violate(Invariant.BOOKS, node, "does not ask the store, though it is back");
    }
    if (node.standby.owing() > 0) {
      audit.violate(Invariant.BOOKS, node, "still owes, though the store is back");
    }
    if (node.standby.settled() != told || node.standby.lost() != unknown) {
      String reports = "reports " + node.standby.settled() + " settled, " + node.standby.lost();
      String seen = " lost; seen were " + told + " and " + unknown;
      audit.violate(Invariant.BOOKS, node, reports + seen);
    }
  }

  private static void settled(Audit audit, Node node, Holding holding) {
    Account account = holding.account;
    long charged = holding.chargesTold + holding.chargesUnknown;
    if (holding.chargesApplied < holding.chargesTold || holding.chargesApplied > charged) {
      String what = node + " charged " + charged + ", of which the store has ";
      audit.violate(Invariant.BOOKS, account, what + holding.chargesApplied);
    }
    long owed = holding.debt.surelyUsed(node.wall.micros());
    if (owed > 0) {
      audit.violate(Invariant.BOOKS, account, node + " never charged " + owed + " that it owes");
    }
  }
}
