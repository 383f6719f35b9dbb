package dev.weir.simulation.audit;

import dev.weir.Algorithm;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Decision.Verdict;
import dev.weir.StoreFailure.Effect;
import dev.weir.simulation.exchange.AuditedServer;
import dev.weir.simulation.exchange.ClientRequest;
import dev.weir.simulation.model.LocalCounterModel;
import dev.weir.simulation.world.EventType;
import dev.weir.simulation.world.World;
import org.jspecify.annotations.Nullable;

/** Checks what servers count locally: in local mode, or while the store does not answer. */
final class LocalDecisionCheck {
  private final World world;
  private final Audit audit;

  LocalDecisionCheck(World world, Audit audit) {
    this.world = world;
    this.audit = audit;
  }

  /** Claims in local mode are counted before another rule calls the store. */
  void onStoreCall(ClientRequest request) {
    for (Claim claim : request.match.claims()) {
      if (claim.mode().isLocal()) {
        checkGrant(request.server, audit.account(claim), claim);
      }
    }
  }

  /** After a denial or a failure of the store, local claims are refunded. */
  void onStoreRefusal(ClientRequest request) {
    for (Claim claim : request.match.claims()) {
      if (claim.mode().isLocal()) {
        recordRefund(request.server, claim);
      }
    }
  }

  /** Checks a claim in local mode. After a failure of the store it was counted again. */
  void checkLocalMode(
      ClientRequest request, Account account, Claim claim, @Nullable Decision each) {
    boolean counted = request.callsStore && request.failure == null;
    if (request.allowed() && !counted) {
      checkGrant(request.server, account, claim);
    } else if (each != null && !each.allowed()) {
      checkDenial(request.server, account, claim, each);
    }
  }

  /** Checks a claim that was decided locally because the store did not answer. */
  void checkFallback(ClientRequest request, Account account, Claim claim, @Nullable Decision each) {
    AuditedServer server = request.server;
    Claim local = claim.withLimit(server.fleetModel().localLimit(account.limit));
    if (!request.allowed()) {
      if (each != null && !each.allowed()) {
        checkDenial(server, account, local, each);
      }
      return;
    }
    checkGrant(server, account, local);
    boolean pending = request.failure != null && request.failure.effect() == Effect.NONE;
    if (pending && account.limit.algorithm() != Algorithm.CONCURRENCY) {
      audit
          .usage(server, account)
          .pendingCharge
          .add(server.wallClock().micros(), claim.cost(), local.limit());
    }
  }

  /** Counts a grant of the store locally, so that an outage does not start with a full budget. */
  void recordStoreGrant(AuditedServer server, Account account, Claim claim) {
    Claim local = claim.withLimit(server.fleetModel().localLimit(account.limit));
    audit.usage(server, account).localCounter.recordStoreGrant(server.wallClock(), local);
  }

  /** Records a refund by the client. */
  void onRefund(ClientRequest request) {
    for (Claim claim : request.match.claims()) {
      if (claim.mode().isLocal() || claim.limit().algorithm() == Algorithm.CONCURRENCY) {
        recordRefund(request.server, claim);
      }
    }
  }

  private void recordRefund(AuditedServer server, Claim claim) {
    audit.usage(server, claim).localCounter.recordRefund(server.wallClock(), claim);
  }

  private void checkGrant(AuditedServer server, Account account, Claim claim) {
    world.count(claim.mode().isLocal() ? EventType.LOCAL_GRANT : EventType.FALLBACK_GRANT);
    LocalCounterModel counter = audit.usage(server, account).localCounter;
    long micros = server.wallClock().micros();
    if (counter.isExact(server.wallClock(), claim.limit())
        && !counter.fits(micros, micros, claim)) {
      long used = counter.used(micros, claim.limit());
      String description =
          " granted " + claim.cost() + " with " + used + " in use of " + claim.limit();
      audit.violate(Invariant.OUTAGE, account, server + mode(claim) + description);
    }
    counter.recordGrant(server.wallClock(), claim);
  }

  private void checkDenial(AuditedServer server, Account account, Claim claim, Decision denial) {
    world.count(claim.mode().isLocal() ? EventType.LOCAL_DENIAL : EventType.FALLBACK_DENIAL);
    if (claim.limit().algorithm() == Algorithm.CONCURRENCY) {
      world.count(EventType.FALLBACK_CONCURRENCY_DENIAL);
    }
    LocalCounterModel counter = audit.usage(server, account).localCounter;
    long micros = server.wallClock().micros();
    if (!counter.isExact(server.wallClock(), claim.limit())) {
      return;
    }
    if (counter.fits(micros, micros, claim)) {
      String description =
          " denied " + claim.cost() + ", for which there is room in " + claim.limit();
      audit.violate(Invariant.POLITE, account, server + mode(claim) + description);
    } else if (denial.verdict() == Verdict.DENIED && claim.cost() <= claim.limit().capacity()) {
      if (!RetryAfterCheck.isExact(
          claim, denial, micros, then -> counter.fits(then, micros, claim))) {
        String description = mode(claim) + " states a wrong wait: " + denial;
        audit.violate(Invariant.RETRY, account, server + description);
      }
    }
  }

  private static String mode(Claim claim) {
    return claim.mode().isLocal() ? " in local mode" : " in fallback mode";
  }
}
