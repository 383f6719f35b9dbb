package dev.weir.simulation.audit;

import dev.weir.Limit;
import dev.weir.shared.lease.ModeRoutingStore.Counts;
import dev.weir.simulation.exchange.AuditedServer;

/** Compares what servers report about themselves with what was observed from outside. */
public final class BalanceCheck {
  private BalanceCheck() {}

  /** Checks the lease counts of a server that holds no leases any more. */
  public static void checkLeases(Audit audit, AuditedServer server) {
    Counts counts = server.leaseCounts();
    long paid = 0;
    long spent = 0;
    long returned = 0;
    for (ServerUsage usage : audit.usages(server)) {
      paid += usage.refillsConfirmed + usage.refillsUnknown;
      spent += usage.leasedSpent;
      returned += usage.returnsConfirmed;
      long unconfirmed = usage.returnsSent - usage.returnsConfirmed;
      if (usage.returnsApplied < usage.returnsConfirmed
          || usage.returnsApplied > usage.returnsConfirmed + unconfirmed) {
        String description =
            server
                + " gave back "
                + usage.returnsConfirmed
                + ", the store has "
                + usage.returnsApplied;
        audit.violate(Invariant.ONCE, usage.account, description);
      }
    }
    if (counts.returned() != returned) {
      Invariant invariant = returned > counts.returned() ? Invariant.ONCE : Invariant.BOOKS;
      audit.violate(invariant, server, "reports " + counts + ", gave back " + returned);
    }
    if (paid != spent + counts.returned() + counts.stranded()) {
      String description = "leased " + paid + " and spent " + spent + ", but reports " + counts;
      audit.violate(Invariant.BOOKS, server, description);
    }
  }

  /**
   * Checks a charge of local grants to the store: it must be what is still pending by the clock of
   * the server; for a store that has lost all its data, all that the server counts locally.
   */
  static void checkCharge(Audit audit, AuditedServer server, ServerUsage usage, long cost) {
    long micros = server.wallClock().micros();
    long capacity = usage.account.limit.capacity();
    long pending = Math.min(capacity, usage.pendingCharge.maxUsed(micros));
    long minPending = Math.min(capacity, usage.pendingCharge.minUsed(micros));
    Limit localLimit = server.fleetModel().localLimit(usage.account.limit);
    boolean exact = usage.localCounter.isExact(server.wallClock(), localLimit);
    long localUsage = Math.min(localLimit.capacity(), usage.localCounter.used(micros, localLimit));
    boolean chargesAll = server.isLearningOfDataLoss();
    long minLocal = chargesAll ? localUsage : 0;
    long maxLocal = chargesAll && !exact ? localLimit.capacity() : minLocal;
    usage.pendingCharge.clear();
    String description =
        server + " charges " + cost + ", pending " + pending + ", local usage " + localUsage;
    if (cost > Math.max(pending, maxLocal)) {
      audit.violate(Invariant.ONCE, usage.account, description);
    }
    if (cost < minPending || (exact && cost < minLocal)) {
      audit.violate(Invariant.BOOKS, usage.account, description);
    }
  }

  /** Checks that all local grants have been charged to the store by now. */
  public static void checkPendingCharges(Audit audit, AuditedServer server) {
    long confirmed = 0;
    long unknown = 0;
    for (ServerUsage usage : audit.usages(server)) {
      confirmed += usage.chargesConfirmed;
      unknown += usage.chargesUnknown;
      checkPendingCharges(audit, server, usage);
    }
    if (!server.callsStore()) {
      audit.violate(Invariant.BOOKS, server, "does not call the store, though it is back");
    }
    if (server.fallback().pendingKeys() > 0) {
      audit.violate(
          Invariant.BOOKS, server, "still has something pending, though the store is back");
    }
    if (server.fallback().settled() != confirmed || server.fallback().lost() != unknown) {
      String reported =
          "reports "
              + server.fallback().settled()
              + " settled, "
              + server.fallback().lost()
              + " lost";
      String observed = "; observed were " + confirmed + " and " + unknown;
      audit.violate(Invariant.BOOKS, server, reported + observed);
    }
  }

  private static void checkPendingCharges(Audit audit, AuditedServer server, ServerUsage usage) {
    Account account = usage.account;
    long charged = usage.chargesConfirmed + usage.chargesUnknown;
    if (usage.chargesApplied < usage.chargesConfirmed || usage.chargesApplied > charged) {
      String description = server + " charged " + charged + ", of which the store has ";
      audit.violate(Invariant.BOOKS, account, description + usage.chargesApplied);
    }
    long pending = usage.pendingCharge.minUsed(server.wallClock().micros());
    if (pending > 0) {
      audit.violate(
          Invariant.BOOKS, account, server + " never charged " + pending + " that are pending");
    }
  }
}
