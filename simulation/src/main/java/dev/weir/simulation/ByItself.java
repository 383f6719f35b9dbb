package dev.weir.simulation;

import dev.weir.Algorithm;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Decision.Verdict;
import dev.weir.Limit;
import dev.weir.StoreFailure.Effect;
import org.jspecify.annotations.Nullable;

/** Follows what servers count by themselves: always, or while the store does not answer. */
final class ByItself {
  private final World world;
  private final Audit audit;

  ByItself(World world, Audit audit) {
    this.world = world;
    this.audit = audit;
  }

  /** What is one server's alone is counted before another rule has to ask the store. */
  void asking(Request request) {
    for (Claim claim : request.match.claims()) {
      if (claim.mode().isLocal()) {
        passed(request.node, audit.account(claim), claim);
      }
    }
  }

  /** The store denied, or did not answer: what was counted before is given back. */
  void undone(Request request) {
    for (Claim claim : request.match.claims()) {
      if (claim.mode().isLocal()) {
        givenBack(request.node, claim);
      }
    }
  }

  /** What is one server's alone. Where the store failed, it has been counted again. */
  void local(Request request, Account account, Claim claim, @Nullable Decision each) {
    boolean counted = request.asksStore && request.failure == null;
    if (request.allowed() && !counted) {
      passed(request.node, account, claim);
    } else if (each != null && !each.allowed()) {
      denied(request.node, account, claim, each);
    }
  }

  /** Without the store. */
  void alone(Request request, Account account, Claim claim, @Nullable Decision each) {
    Node node = request.node;
    Claim here = claim.under(node.census.part(account.limit));
    if (!request.allowed()) {
      if (each != null && !each.allowed()) {
        denied(node, account, here, each);
      }
      return;
    }
    passed(node, account, here);
    boolean owed = request.failure != null && request.failure.effect() == Effect.NONE;
    if (owed && account.limit.algorithm() != Algorithm.CONCURRENCY) {
      node.holding(account).debt.add(node.wall.micros(), claim.cost(), here.limit());
    }
  }

  /** By the store: an outage does not begin with a budget that has been spent. */
  void noted(Node node, Account account, Claim claim) {
    Limit part = node.census.part(account.limit);
    node.holding(account).recount.noted(node.wall, claim.under(part));
  }

  /** Given back by the client. */
  void refunded(Request request) {
    for (Claim claim : request.match.claims()) {
      if (claim.mode().isLocal() || claim.limit().algorithm() == Algorithm.CONCURRENCY) {
        givenBack(request.node, claim);
      }
    }
  }

  private void givenBack(Node node, Claim claim) {
    audit.holding(node, claim).recount.givenBack(node.wall, claim);
  }

  private void passed(Node node, Account account, Claim claim) {
    world.count(claim.mode().isLocal() ? Happening.LOCAL_GRANT : Happening.STANDBY_GRANT);
    Recount recount = node.holding(account).recount;
    long micros = node.wall.micros();
    if (recount.isSure(node.wall, claim.limit()) && !recount.fits(micros, micros, claim)) {
      long used = recount.used(micros, claim.limit());
      String what = " let pass " + claim.cost() + " with " + used + " in use of " + claim.limit();
      audit.violate(Invariant.OUTAGE, account, node + how(claim) + what);
    }
    recount.passed(node.wall, claim);
  }

  private void denied(Node node, Account account, Claim claim, Decision told) {
    world.count(claim.mode().isLocal() ? Happening.LOCAL_DENIAL : Happening.STANDBY_DENIAL);
    if (claim.limit().algorithm() == Algorithm.CONCURRENCY) {
      world.count(Happening.STANDBY_PLACE_DENIAL);
    }
    Recount recount = node.holding(account).recount;
    long micros = node.wall.micros();
    if (!recount.isSure(node.wall, claim.limit())) {
      return;
    }
    if (recount.fits(micros, micros, claim)) {
      String what = " denied " + claim.cost() + ", for which there is room in " + claim.limit();
      audit.violate(Invariant.POLITE, account, node + how(claim) + what);
    } else if (told.verdict() == Verdict.DENIED && claim.cost() <= claim.limit().capacity()) {
      if (!Retries.isExact(claim, told, micros, then -> recount.fits(then, micros, claim))) {
        audit.violate(Invariant.RETRY, account, node + how(claim) + " does not keep to " + told);
      }
    }
  }

  private static String how(Claim claim) {
    return claim.mode().isLocal() ? " in local mode" : " alone";
  }
}
