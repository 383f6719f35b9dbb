package dev.weir.simulation;

import dev.weir.Algorithm;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Decision.Verdict;
import dev.weir.Limit;
import dev.weir.Mode;
import dev.weir.StoreFailure.Effect;
import dev.weir.simulation.Holding.Alone;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes down what servers count by themselves: always, or while the store does not answer. */
final class ByItself {
  private final World world;
  private final Audit audit;

  ByItself(World world, Audit audit) {
    this.world = world;
    this.audit = audit;
  }

  /**
   * What is one server's alone is counted when it comes, even if another rule has to ask the store;
   * if that denies it is given back, and if that fails it is counted again.
   */
  void local(Request request, Account account, Claim claim, @Nullable Decision each) {
    Node node = request.node;
    List<Alone> alone = node.holding(account).alone;
    Limit part = account.limit; // made so by its rule
    boolean again = request.failure != null;
    boolean taken = request.questions > 0 || (request.allowed() && !again);
    if (taken) {
      alone.add(
          new Alone(
              request.askedNanos, request.askedMicros, claim.cost(), part, false, node.jumps));
    }
    if (taken && (again || !request.allowed())) {
      alone.add(alone(node, -claim.cost(), part, node.jumps));
    }
    if (again && request.allowed()) {
      alone.add(alone(node, claim.cost(), part, node.jumps));
    }
    if (request.match.claims().size() == 1) {
      waits(request, account, claim, part, node.jumps, each);
    }
  }

  /** Without the store. */
  void alone(Request request, Account account, Claim claim, @Nullable Decision each) {
    Node node = request.node;
    Holding holding = node.holding(account);
    Limit part = node.census.part(account.limit);
    waits(request, account, claim, part, epoch(node), each);
    if (!request.allowed()) {
      return;
    }
    holding.alone.add(alone(node, claim.cost(), part, epoch(node)));
    if (account.limit.algorithm() != Algorithm.CONCURRENCY) {
      holding.known.add(node.wall.micros(), claim.cost(), part);
      if (request.failure != null && request.failure.effect() == Effect.NONE) {
        holding.debt.add(node.wall.micros(), claim.cost(), part);
      }
    }
  }

  /** By the store: an outage does not begin with a budget that has been spent. */
  void noted(Node node, Account account, Claim claim) {
    Limit part = node.census.part(account.limit);
    long micros = node.wall.micros();
    Holding holding = node.holding(account);
    holding.waits.in(epoch(node)).spent();
    holding.alone.add(new Alone(world.nanos(), micros, claim.cost(), part, true, epoch(node)));
    if (account.limit.algorithm() != Algorithm.CONCURRENCY) {
      holding.known.add(micros, claim.cost(), part);
    }
  }

  /** Given back by the client. */
  void refunded(Request request) {
    Node node = request.node;
    for (Claim claim : request.match.claims()) {
      Holding holding = audit.holding(node, claim);
      holding.waits.forget();
      if (claim.mode().kind() == Mode.Kind.LOCAL) {
        holding.alone.add(alone(node, -claim.cost(), claim.limit(), node.jumps));
      }
    }
  }

  private void waits(
      Request request,
      Account account,
      Claim claim,
      Limit part,
      int epoch,
      @Nullable Decision each) {
    Waits waits = request.node.holding(account).waits.in(epoch);
    long micros = request.node.wall.micros();
    String wrong = null;
    if (request.allowed()) {
      wrong = waits.passed(claim.cost(), micros);
    } else if (each != null
        && each.verdict() == Verdict.DENIED
        && claim.cost() <= part.capacity()) {
      wrong = waits.denied(claim.cost(), micros, Retries.waitMicros(each));
    }
    if (wrong != null) {
      audit.violate(Invariant.RETRY, account, request.node + " by itself " + wrong);
    }
  }

  private static int epoch(Node node) {
    return node.census.news() + node.jumps;
  }

  private Alone alone(Node node, long amount, Limit part, int epoch) {
    return new Alone(world.nanos(), node.wall.micros(), amount, part, false, epoch);
  }
}
