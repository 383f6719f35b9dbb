package dev.weir.simulation.audit;

import dev.weir.Answer;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Decision.Basis;
import dev.weir.Mode;
import dev.weir.Store;
import dev.weir.StoreFailure;
import dev.weir.rule.FailureMode;
import dev.weir.rule.Rule;
import dev.weir.simulation.audit.Account.Denial;
import dev.weir.simulation.exchange.AuditedServer;
import dev.weir.simulation.exchange.ClientRequest;
import dev.weir.simulation.exchange.ForwardingStore;
import dev.weir.simulation.plan.ClientGroup;
import dev.weir.simulation.plan.Plan;
import dev.weir.simulation.world.EventType;
import dev.weir.simulation.world.WallClock;
import dev.weir.simulation.world.World;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** Checks each decision as a client sees it. */
public final class DecisionCheck {
  /** How much later than its deadline a decision may arrive. */
  private static final long SLACK_NANOS = World.millis(5);

  private final World world;
  private final Audit audit;
  private final WallClock clock;
  private final boolean calm;
  private final long deadlineNanos;
  private final LocalDecisionCheck localCheck;
  private final RetryAfterCheck retryCheck;
  private final List<ClientRequest> open = new ArrayList<>();

  /** Checks decisions by the deadline of the plan; {@code clock} is the clock of the store. */
  public DecisionCheck(World world, Audit audit, WallClock clock, Plan plan) {
    this.world = world;
    this.audit = audit;
    this.clock = clock;
    this.localCheck = new LocalDecisionCheck(world, audit);
    this.retryCheck = new RetryAfterCheck(world, audit);
    this.calm = plan.calm();
    this.deadlineNanos = plan.guard().deadline().toNanos();
  }

  /** Wraps a store so that its failures are recorded in the client request. */
  public Store recordingFailures(Store store) {
    return new ForwardingStore(store) {
      @Override
      public Answer take(List<Claim> claims) {
        ClientRequest request = audit.currentRequest();
        Answer answer = super.take(claims);
        if (answer instanceof Decision || request == null) {
          return answer;
        }
        request.callsStore = true;
        localCheck.onStoreCall(request);
        return Answer.later(
            answer.stage().whenComplete((decision, thrown) -> onAnswer(request, decision, thrown)));
      }
    };
  }

  private void onAnswer(
      ClientRequest request, @Nullable Decision decision, @Nullable Throwable thrown) {
    request.failure = failure(thrown);
    if (decision == null || !decision.allowed()) {
      localCheck.onStoreRefusal(request);
    }
  }

  private static @Nullable StoreFailure failure(@Nullable Throwable thrown) {
    Throwable cause = thrown instanceof CompletionException ? thrown.getCause() : thrown;
    return cause instanceof StoreFailure failure ? failure : null;
  }

  /** Records a request that has arrived at a server. */
  public void onRequest(ClientRequest request) {
    open.add(request);
    addUndecided(request, 1);
  }

  /** Counts undecided permits: of several claims, some may be spent before all are decided. */
  private void addUndecided(ClientRequest request, int sign) {
    List<Claim> claims = request.match.claims();
    for (Claim claim : claims) {
      Account account = audit.account(claim);
      audit.usage(request.server, account).undecided += sign * claim.cost();
      if (claims.size() > 1 && account.leases()) {
        account.undecided += sign * claim.cost();
        account.record(world.nanos(), clock.micros(), 0, false);
      }
    }
  }

  /** Drops the requests of a dead server: they get no decision, and nothing more is spent. */
  public void onServerDied(AuditedServer server) {
    List<ClientRequest> lost = open.stream().filter(request -> request.server == server).toList();
    open.removeAll(lost);
    lost.forEach(request -> addUndecided(request, -1));
  }

  /** Checks the decision of a request, or its failure. */
  public void onDecision(
      ClientRequest request, @Nullable Decision decision, @Nullable Throwable thrown) {
    request.decision = decision;
    open.remove(request);
    world.addToDigest(decision == null ? 0 : decision.hashCode());
    world.log(() -> describe(request, thrown));
    checkDeadline(request);
    addUndecided(request, -1);
    if (decision == null && failure(thrown) == null) {
      audit.violate(Invariant.OUTAGE, "request " + request.number, "failed with " + thrown);
    }
    if (calm && request.failure != null) {
      String description = "no answer, without a fault: " + request.failure.getMessage();
      audit.violate(Invariant.POLITE, "request " + request.number, description);
    }
    if (decision == null) {
      world.count(EventType.UNANSWERED_REQUEST);
    }
    for (int i = 0; i < request.match.claims().size(); i++) {
      Account account = audit.account(request.match.claims().get(i));
      Decision each = decision == null ? null : decision.each().get(i);
      check(
          request,
          account,
          request.match.claims().get(i),
          request.match.charges().get(i).rule(),
          each);
    }
  }

  private String describe(ClientRequest request, @Nullable Throwable thrown) {
    List<String> labels =
        request.match.claims().stream().map(claim -> audit.account(claim).label).toList();
    Object outcome = request.decision == null ? thrown : request.decision;
    String basis = request.decision == null ? "" : " " + request.decision.basis();
    String failed = request.failure == null ? "" : " after " + request.failure.effect();
    return request.server
        + " answers request "
        + request.number
        + " "
        + labels
        + ": "
        + outcome
        + basis
        + failed;
  }

  private void checkDeadline(ClientRequest request) {
    long took = request.elapsedNanos(world.nanos());
    if (took > deadlineNanos + SLACK_NANOS) {
      String description = "took " + took / 1_000_000.0 + " ms of " + deadlineNanos / 1_000_000;
      audit.violate(Invariant.DEADLINE, "request " + request.number, description);
    }
  }

  /** Checks the deadline of all requests that still have no decision. */
  public void checkUnanswered() {
    open.forEach(this::checkDeadline);
  }

  private void check(
      ClientRequest request, Account account, Claim claim, Rule rule, @Nullable Decision each) {
    boolean passed = request.allowed();
    if (account.mode.kind() == Mode.Kind.LOCAL) {
      localCheck.checkLocalMode(request, account, claim, each);
    } else if (request.failure != null) {
      checkWithoutStore(request, account, claim, rule, each);
    } else if (passed && each != null) {
      checkGrant(request, account, claim, each.basis());
      if (rule.failureMode() == FailureMode.LOCAL) {
        localCheck.recordStoreGrant(request.server, account, claim);
      }
    } else if (each != null && !each.allowed()) {
      boolean cached = each.basis() == Basis.CACHED;
      world.count(cached ? EventType.CACHED_DENIAL : EventType.COUNTED_DENIAL);
      retryCheck.check(request, account, claim, each);
      if (account.group.kind() == ClientGroup.Kind.POLITE) {
        long requestedMicros = clock.micros() - (world.nanos() - request.startNanos) / 1_000;
        account.politeDenials.add(new Denial(world.nanos(), requestedMicros, claim.cost()));
      }
    }
    if (account.leases() && (request.failure != null || !passed) && maySpendLease(request, each)) {
      audit.leases.onUnspent(request, audit.usage(request.server, account), claim.cost());
    }
  }

  /** Whether leased permits may have been spent; without an answer that cannot be seen. */
  private static boolean maySpendLease(ClientRequest request, @Nullable Decision each) {
    return request.match.claims().size() > 1
        && (request.failure != null || each == null || each.basis() == Basis.LEASED);
  }

  private void checkGrant(ClientRequest request, Account account, Claim claim, Basis basis) {
    if (basis == Basis.LEASED) {
      world.count(EventType.LEASED_GRANT);
      ServerUsage usage = audit.usage(request.server, account);
      usage.leasedSpent += claim.cost();
      usage.heldPermits.spend(claim.cost());
      if (account.politeModel != null) {
        account.politeModel.recordSpend(usage, claim.cost());
      }
      account.record(world.nanos(), clock.micros(), claim.cost(), true);
      if (usage.leasedSpent + usage.returnsApplied > usage.refillsApplied) {
        String description =
            request.server + " spends leased permits that were never paid for, or were returned";
        audit.violate(Invariant.LEASED, account, description);
      }
      if (request.startNanos >= usage.emptySinceNanos) {
        String description = request.server + " spends a refill that came after a pause";
        audit.violate(Invariant.LEASED, account, description);
      }
    } else if (basis == Basis.COUNTED) {
      world.count(EventType.COUNTED_GRANT);
      if (!request.storeGrants.contains(claim.key())) {
        audit.violate(Invariant.STRICT, account, "granted what the store did not grant");
      }
    } else {
      audit.violate(
          Invariant.OUTAGE, account, "granted as " + basis + " though the store answered");
    }
  }

  private void checkWithoutStore(
      ClientRequest request, Account account, Claim claim, Rule rule, @Nullable Decision each) {
    boolean passed = request.allowed();
    if (rule.failureMode() == FailureMode.DENY && passed) {
      audit.violate(Invariant.OUTAGE, account, "granted without the store, where the rule denies");
    }
    boolean allAllow =
        request.match.charges().stream()
                .allMatch(other -> other.rule().failureMode() == FailureMode.ALLOW)
            && request.match.claims().stream()
                .noneMatch(other -> other.mode().kind() == Mode.Kind.LOCAL);
    if (allAllow && !passed) {
      audit.violate(Invariant.OUTAGE, account, "denied without the store, where all rules allow");
    }
    if (rule.failureMode() == FailureMode.ALLOW && passed) {
      world.count(EventType.UNCOUNTED_GRANT);
    }
    if (rule.failureMode() == FailureMode.LOCAL) {
      localCheck.checkFallback(request, account, claim, each);
    }
  }

  /** Records a refund: it may change a local counter, and it invalidates the cached denial. */
  public void onRefund(ClientRequest request) {
    request.match.claims().forEach(claim -> audit.usage(request.server, claim).lastDenial = null);
    localCheck.onRefund(request);
  }
}
