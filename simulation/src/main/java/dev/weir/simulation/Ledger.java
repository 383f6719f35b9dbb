package dev.weir.simulation;

import dev.weir.Algorithm;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.simulation.Message.Operation;
import dev.weir.simulation.Message.Purpose;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Writes down what the network carries and the store does. */
final class Ledger {
  /** What takes longer has been held up by a fault. */
  private static final long HELD_UP_NANOS = World.millis(5);

  private final World world;
  private final Wall clock;
  private final Audit audit;
  private final Map<Holding, long[]> windows = new HashMap<>();
  private long numbers;
  private long forgotMicros;

  Ledger(World world, Wall clock, Audit audit) {
    this.world = world;
    this.clock = clock;
    this.audit = audit;
  }

  long messages() {
    return numbers;
  }

  Message sent(Node node, Operation operation, List<Claim> claims) {
    Purpose purpose =
        switch (operation) {
          case TAKE -> audit.purposeOfTake(claims);
          case REFUND -> audit.purposeOfRefund(claims);
          case CHARGE -> Purpose.CHARGE;
          case LOOK, FORGET -> Purpose.LOOK;
        };
    Message message = new Message(++numbers, node, operation, purpose, claims, world.nanos());
    world.mark(message.number);
    if (purpose == Purpose.LOOK) {
      return message;
    }
    for (Claim claim : claims) {
      Holding holding = audit.holding(node, claim);
      holding.sentTake += operation == Operation.TAKE ? claim.cost() : 0;
      holding.sentRefund += operation == Operation.REFUND ? claim.cost() : 0;
      holding.sentCharge += operation == Operation.CHARGE ? claim.cost() : 0;
      if (holding.sentTake > holding.askedTake
          || holding.sentRefund > holding.askedRefund
          || holding.sentCharge > holding.askedCharge) {
        audit.violate(Invariant.ONCE, holding.account, message + " of " + node + " was sent again");
      }
      world.tell(() -> node + " sends " + message + " " + claim.cost() + " " + holding.account);
    }
    return message;
  }

  void applied(Message message, Decision decision) {
    world.mark(decision.hashCode());
    if (message.purpose == Purpose.LOOK) {
      return;
    }
    for (int i = 0; i < message.claims.size(); i++) {
      Claim claim = message.claims.get(i);
      Holding holding = audit.holding(message.node, claim);
      Decision each = decision.each().get(i);
      world.tell(() -> "  store does " + message + " " + holding.account + ": " + each);
      if (message.request != null) {
        message.request.spendsThen = holding.account.spends;
      }
      if (decision.allowed()) {
        applied(message, claim, holding);
      }
    }
  }

  private void applied(Message message, Claim claim, Holding holding) {
    Account account = holding.account;
    long cost = claim.cost();
    boolean heldUp = world.nanos() - message.sentNanos > HELD_UP_NANOS;
    switch (message.purpose) {
      case QUESTION -> {
        account.granted += cost;
        account.spends++;
        holding.spentNanos = world.nanos();
        account.disturbed += heldUp ? cost : 0;
        enter(account, message, cost, claim.permit(), true);
      }
      case REFILL -> {
        holding.refillsApplied += cost;
        account.spends++;
        account.behindNanos = world.nanos();
        ofWindow(message, holding, cost);
      }
      case RETURN -> {
        holding.returnsApplied += cost;
        ofWindow(message, holding, -cost);
        audit.returned(holding, cost);
      }
      case REFUND -> enter(account, message, -cost, claim.permit(), false);
      case CHARGE -> {
        account.spends++;
        account.behindNanos = world.nanos();
        account.disturbed += cost;
        holding.chargesApplied += cost;
        // A charge is never too much. For most limits it leaves less for others; a sliding
        // counter's
        // bound is for what it grants.
        if (!account.leases() && account.limit.algorithm() != Algorithm.SLIDING_COUNTER) {
          enter(account, message, cost, 0, false);
        }
      }
      case LOOK -> {}
    }
  }

  private void enter(Account account, Message message, long amount, long permit, boolean checked) {
    account.enter(world.nanos(), message.micros, amount, permit, checked, message);
  }

  /** What is given back to a window was taken from it, unless it was on its way when it began. */
  private void ofWindow(Message message, Holding holding, long permits) {
    if (holding.account.limit.algorithm() != Algorithm.FIXED_WINDOW) {
      return;
    }
    long start = holding.account.limit.windowStartMicros(message.micros);
    long[] window = windows.computeIfAbsent(holding, one -> new long[] {start, 0});
    if (window[0] != start) {
      window[0] = start;
      window[1] = 0;
    }
    long onItsWay = (world.nanos() - message.sentNanos) / 1_000;
    if (permits > 0 || message.micros - onItsWay > start) {
      window[1] += permits;
    }
    if (window[1] < 0 && start > forgotMicros) {
      String what = message.node + " gives back to a window what it took from another";
      audit.violate(Invariant.BOOKS, holding.account, what);
    }
  }

  /** The store has lost its memory of these, and its clock has moved. */
  void forgot(List<Message> messages, long stepMicros) {
    windows.clear();
    forgotMicros = clock.micros();
    for (Message message : messages) {
      message.forgotten = true;
      for (Claim claim : message.claims) {
        Account account = audit.account(claim);
        boolean took = message.operation == Operation.TAKE;
        account.disturbed += message.operation == Operation.REFUND ? claim.cost() : 0;
        if (account.leases() && took) {
          account.enter(world.nanos(), message.micros, -claim.cost(), false);
        }
      }
    }
    for (Account account : audit.accounts()) {
      account.spends++;
      account.disturbed += stepMicros == 0 ? 0 : account.limit.capacity();
      if (account.leases() && stepMicros < 0) {
        // Counters wait for the clock, each from its own last moment: what that allows is little,
        // and not worth following.
        account.enter(world.nanos(), clock.micros(), -account.limit.capacity(), false);
      }
    }
  }
}
