package dev.weir.simulation;

import dev.weir.Mode;
import org.jspecify.annotations.Nullable;

/** Follows permits that servers take in advance, and give back. */
final class Lending {
  private final World world;
  private final Wall clock;
  private final Audit audit;

  /** What became of a question. */
  enum Answered {
    GRANTED,
    /** Denied, or not done. */
    NOT,
    UNKNOWN
  }

  Lending(World world, Wall clock, Audit audit) {
    this.world = world;
    this.clock = clock;
    this.audit = audit;
  }

  /** A server asks for permits in advance: once at a time. */
  void refilling(Node node, Holding holding, long cost) {
    if (holding.awaiting) {
      audit.violate(Invariant.LEASED, holding.account, node + " asks twice at a time");
    }
    holding.awaiting = true;
    holding.awaitingNanos = world.nanos();
    holdsItsPart(node, holding, cost);
  }

  /** It is answered, or not. */
  void refilled(
      Node node, Holding holding, @Nullable Message refill, long cost, Answered answered) {
    holding.awaiting = false;
    switch (answered) {
      case GRANTED -> {
        boolean automatic = holding.account.mode.kind() == Mode.Kind.AUTOMATIC;
        world.count(automatic ? Happening.AUTOMATIC_LEASE : Happening.LEASE);
        holding.refillsTold += cost;
        // What comes to a server that stood still is given back, and none of it spent.
        boolean late = world.nanos() - holding.awaitingNanos > World.millis(1_000);
        holding.emptySinceNanos = late ? world.nanos() : Long.MAX_VALUE;
        if (!late) {
          holding.held.told(refill, cost, world.nanos());
        }
        holdsItsPart(node, holding, 0);
      }
      case UNKNOWN -> {
        holding.refillsUnknown += cost;
        if (refill != null) {
          refill.givenUp = true;
          lost(holding, refill.changed() ? cost : 0);
        }
      }
      case NOT -> {}
    }
  }

  /** A request did not pass that may have been paid for in advance. */
  void undone(Request request, Holding holding, long cost) {
    holding.held.undone(cost, request.askedNanos, world.nanos(), clock.micros());
    holdsItsPart(request.node, holding, 0);
  }

  /** With what it surely holds, and asks for, it holds no more than it may. */
  private void holdsItsPart(Node node, Holding holding, long more) {
    Account account = holding.account;
    long most = node.census.mayHold(account.share());
    // What is being spent at this very moment has not been told yet; where the store is asked about
    // another rule, for a while.
    boolean alone = account.group.rules().size() == 1;
    Request current = audit.asking();
    long spending = current == null ? 0 : current.match.claims().get(0).cost();
    long undecided = alone ? spending : holding.undecided;
    long held = holding.held.least(undecided, world.nanos(), clock.micros());
    if (held + more > most) {
      String what = node + " leases " + more + " with " + held + " where it may hold " + most;
      audit.violate(Invariant.LEASED, account, what);
    }
  }

  /** A server gives permits of a lease back. */
  void returning(Holding holding, long cost) {
    holding.returnsAsked += cost;
    holding.returning += cost;
    holding.held.returned(cost, world.nanos());
  }

  /** The server has heard that they are there, or gives them up. */
  void returnEnded(Holding holding, @Nullable Message sent, long cost, Answered answered) {
    holding.returning -= cost;
    if (answered == Answered.GRANTED) {
      holding.returnsTold += cost;
    } else {
      lost(holding, sent != null && sent.changed() ? 0 : cost);
    }
  }

  private static void lost(Holding holding, long cost) {
    if (holding.account.courtesy != null) {
      holding.account.courtesy.lost(holding, cost);
    }
  }

  /** The server has heard that the store lost its memory: what it holds is good for nothing. */
  void forgot(Node node) {
    for (Holding holding : node.holdings.values()) {
      holding.held.forget();
      lost(holding, Long.MAX_VALUE);
    }
  }

  /** So much more is on its way back; less, when it has arrived or is lost for good. */
  void onItsWay(Account account, long more) {
    account.returning += more;
    enterSlack(account);
  }

  private void enterSlack(Account account) {
    account.enter(world.nanos(), clock.micros(), 0, false);
  }

  /** Who is paused keeps what it has until it goes on. */
  private static long mayHold(Node node, Account account) {
    return node.pause.isPaused()
        ? node.census.mayHaveHeld(account.share())
        : node.census.mayHold(account.share());
  }

  /** What all servers may hold by what each has heard; what one held that is gone is lost. */
  void held() {
    for (Account account : audit.accounts()) {
      if (account.leases()) {
        long held = 0;
        long serving = 0;
        for (Node node : audit.nodes()) {
          lost(node.holding(account), node.isAlive() ? 0 : Long.MAX_VALUE);
          long part = mayHold(node, account);
          held += node.isAlive() ? part : 0;
          serving += node.isServing() ? part : 0;
        }
        account.mayHold = held;
        account.mostHeld = Math.max(account.mostHeld, serving);
        enterSlack(account);
      }
    }
  }
}
