package dev.weir.simulation;

import dev.weir.Answer;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Decision.Basis;
import dev.weir.Mode;
import dev.weir.Store;
import dev.weir.StoreFailure;
import dev.weir.rule.Rule;
import dev.weir.rule.Rule.WhenStoreFails;
import dev.weir.simulation.Account.Denial;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** Judges each decision as a client sees it. */
final class Verdicts {
  /** So much after the deadline must a decision be there. */
  static final long SLACK_NANOS = World.millis(5);

  private final World world;
  private final Audit audit;
  private final Wall clock;
  private final boolean calm;
  private final long deadlineNanos;
  private final ByItself byItself;
  private final Retries retries;
  private final List<Request> open = new ArrayList<>();

  Verdicts(World world, Audit audit, Wall clock, Plan plan) {
    this.world = world;
    this.audit = audit;
    this.clock = clock;
    this.byItself = new ByItself(world, audit);
    this.retries = new Retries(world, audit);
    this.calm = plan.calm();
    this.deadlineNanos = plan.guard().deadline().toNanos();
  }

  /** A store of which it is noted why it did not answer a request. */
  Store heardBy(Store store) {
    return new Forwarding(store) {
      @Override
      public Answer take(List<Claim> claims) {
        Request request = audit.asking();
        Answer answer = super.take(claims);
        if (answer instanceof Decision || request == null) {
          return answer;
        }
        request.asksStore = true;
        byItself.asking(request);
        return Answer.later(
            answer.stage().whenComplete((decision, thrown) -> answered(request, decision, thrown)));
      }
    };
  }

  private void answered(Request request, @Nullable Decision decision, @Nullable Throwable thrown) {
    request.failure = failure(thrown);
    if (decision == null || !decision.allowed()) {
      byItself.undone(request);
    }
  }

  private static @Nullable StoreFailure failure(@Nullable Throwable thrown) {
    Throwable cause = thrown instanceof CompletionException ? thrown.getCause() : thrown;
    return cause instanceof StoreFailure failure ? failure : null;
  }

  void began(Request request) {
    open.add(request);
    undecided(request, 1);
  }

  /** Of several claims some may be spent before it is known whether all are granted. */
  private void undecided(Request request, int sign) {
    List<Claim> claims = request.match.claims();
    for (Claim claim : claims) {
      Account account = audit.account(claim);
      request.node.holding(account).undecided += sign * claim.cost();
      if (claims.size() > 1 && account.leases()) {
        account.undecided += sign * claim.cost();
        account.enter(world.nanos(), clock.micros(), 0, false);
      }
    }
  }

  /** Whoever waits for a server that died is never told: nothing is spent for it any more. */
  void died(Node node) {
    List<Request> lost = open.stream().filter(request -> request.node == node).toList();
    open.removeAll(lost);
    lost.forEach(request -> undecided(request, -1));
  }

  void ended(Request request, @Nullable Decision decision, @Nullable Throwable thrown) {
    request.ended = true;
    request.decision = decision;
    open.remove(request);
    world.mark(decision == null ? 0 : decision.hashCode());
    world.tell(() -> told(request, thrown));
    punctual(request);
    undecided(request, -1);
    if (decision == null && failure(thrown) == null) {
      audit.violate(Invariant.OUTAGE, "request " + request.number, "failed with " + thrown);
    }
    if (calm && request.failure != null) {
      String what = "no answer, though nothing went wrong: " + request.failure.getMessage();
      audit.violate(Invariant.POLITE, "request " + request.number, what);
    }
    if (decision == null) {
      world.count(Happening.UNANSWERED_REQUEST);
    }
    for (int i = 0; i < request.match.claims().size(); i++) {
      Account account = audit.account(request.match.claims().get(i));
      Decision each = decision == null ? null : decision.each().get(i);
      judge(request, account, request.match.claims().get(i), request.match.rules().get(i), each);
    }
  }

  private String told(Request request, @Nullable Throwable thrown) {
    List<String> labels =
        request.match.claims().stream().map(one -> audit.account(one).label).toList();
    Object outcome = request.decision == null ? thrown : request.decision;
    String basis = request.decision == null ? "" : " " + request.decision.basis();
    String failed = request.failure == null ? "" : " after " + request.failure.effect();
    return request.node
        + " tells request "
        + request.number
        + " "
        + labels
        + ": "
        + outcome
        + basis
        + failed;
  }

  private void punctual(Request request) {
    long took = request.tookNanos(world.nanos());
    if (took > deadlineNanos + SLACK_NANOS) {
      String what = "took " + took / 1_000_000.0 + " ms of " + deadlineNanos / 1_000_000;
      audit.violate(Invariant.DEADLINE, "request " + request.number, what);
    }
  }

  /** Whoever still waits has waited long enough. */
  void unanswered() {
    open.forEach(this::punctual);
  }

  private void judge(
      Request request, Account account, Claim claim, Rule rule, @Nullable Decision each) {
    boolean passed = request.allowed();
    if (account.mode.kind() == Mode.Kind.LOCAL) {
      byItself.local(request, account, claim, each);
    } else if (request.failure != null) {
      withoutStore(request, account, claim, rule, each);
    } else if (passed && each != null) {
      counted(request, account, claim, each.basis());
      if (rule.whenStoreFails() == WhenStoreFails.LOCAL) {
        byItself.noted(request.node, account, claim);
      }
    } else if (each != null && !each.allowed()) {
      boolean remembered = each.basis() == Basis.REMEMBERED;
      world.count(remembered ? Happening.REMEMBERED_DENIAL : Happening.COUNTED_DENIAL);
      retries.told(request, account, claim, each);
      if (account.group.kind() == Group.Kind.POLITE) {
        long askedMicros = clock.micros() - (world.nanos() - request.askedNanos) / 1_000;
        account.politelyDenied.add(new Denial(world.nanos(), askedMicros, claim.cost()));
      }
    }
    if (account.leases() && (request.failure != null || !passed) && mayBeLeased(request, each)) {
      audit.lending.undone(request, request.node.holding(account), claim.cost());
    }
  }

  /** It is not seen what another rule cost, if nobody answered. */
  private static boolean mayBeLeased(Request request, @Nullable Decision each) {
    return request.match.claims().size() > 1
        && (request.failure != null || each == null || each.basis() == Basis.LEASED);
  }

  private void counted(Request request, Account account, Claim claim, Basis basis) {
    if (basis == Basis.LEASED) {
      world.count(Happening.LEASED_GRANT);
      Holding holding = request.node.holding(account);
      holding.leasedSpent += claim.cost();
      holding.held.less(claim.cost());
      if (account.courtesy != null) {
        account.courtesy.spent(holding, claim.cost());
      }
      account.enter(world.nanos(), clock.micros(), claim.cost(), true);
      if (holding.leasedSpent + holding.returnsApplied > holding.refillsApplied) {
        String what = request.node + " spends what was never paid for, or was given back";
        audit.violate(Invariant.LEASED, account, what);
      }
      if (request.askedNanos >= holding.emptySinceNanos) {
        String what = request.node + " spends what came when it had stood still";
        audit.violate(Invariant.LEASED, account, what);
      }
    } else if (basis == Basis.COUNTED) {
      world.count(Happening.COUNTED_GRANT);
      if (!request.granted.contains(claim.key())) {
        audit.violate(Invariant.STRICT, account, "let pass what the store did not grant");
      }
    } else {
      audit.violate(
          Invariant.OUTAGE, account, "let pass as " + basis + " though the store answered");
    }
  }

  private void withoutStore(
      Request request, Account account, Claim claim, Rule rule, @Nullable Decision each) {
    boolean passed = request.allowed();
    if (rule.whenStoreFails() == WhenStoreFails.DENY && passed) {
      audit.violate(Invariant.OUTAGE, account, "let pass without the store, where the rule denies");
    }
    boolean allAllow =
        request.match.rules().stream().allMatch(one -> one.whenStoreFails() == WhenStoreFails.ALLOW)
            && request.match.claims().stream()
                .noneMatch(one -> one.mode().kind() == Mode.Kind.LOCAL);
    if (allAllow && !passed) {
      audit.violate(Invariant.OUTAGE, account, "denied without the store, where all rules allow");
    }
    if (rule.whenStoreFails() == WhenStoreFails.ALLOW && passed) {
      world.count(Happening.UNCOUNTED_GRANT);
    }
    if (rule.whenStoreFails() == WhenStoreFails.LOCAL) {
      byItself.alone(request, account, claim, each);
    }
  }

  /** What is given back may be counted by the server itself, and ends what it remembers. */
  void refunded(Request request) {
    request.match.claims().forEach(one -> audit.holding(request.node, one).denied = null);
    byItself.refunded(request);
  }
}
