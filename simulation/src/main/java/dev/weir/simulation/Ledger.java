package dev.weir.simulation;

import dev.weir.Algorithm;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Decision.Verdict;
import dev.weir.operation.Operation;
import dev.weir.simulation.Message.Purpose;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Writes down what the network carries and the store does. */
final class Ledger {
  /** After so long must be given back what nobody wants: a second, and two looks at it. */
  private static final long UNWANTED_NANOS = World.millis(1_300);

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
    boolean ofNobody = !audit.knows(claims.get(0)); // a sign of life
    Purpose purpose =
        ofNobody
            ? Purpose.LOOK
            : switch (operation) {
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
    message.request = purpose == Purpose.QUESTION ? audit.asking() : null;
    audit.sent(message);
    for (Claim claim : claims) {
      Account account = audit.account(claim);
      world.tell(() -> node + " sends " + message + " " + claim.cost() + " " + account);
      if (purpose == Purpose.RETURN) {
        audit.lending.onItsWay(account, claim.cost());
      }
    }
    return message;
  }

  /** It is on its way no more: it has arrived, or never will. */
  void ended(Message message) {
    if (message.purpose == Purpose.RETURN) {
      for (Claim claim : message.claims) {
        audit.lending.onItsWay(audit.account(claim), -claim.cost());
      }
    }
  }

  void applied(Message message, Decision decision) {
    world.mark(decision.hashCode());
    ended(message);
    if (message.purpose == Purpose.LOOK) {
      return;
    }
    for (int i = 0; i < message.claims.size(); i++) {
      Claim claim = message.claims.get(i);
      Holding holding = audit.holding(message.node, claim);
      Decision each = decision.each().get(i);
      world.tell(() -> "  store does " + message + " " + holding.account + ": " + each);
      if (decision.allowed()) {
        applied(message, claim, holding);
      } else if (message.purpose == Purpose.QUESTION && each.verdict() == Verdict.DENIED) {
        denied(message, claim, holding.account, each);
      }
    }
  }

  private void denied(Message message, Claim claim, Account account, Decision each) {
    if (message.request != null) {
      message.request.spendsThen = account.spends;
      message.request.waits.put(claim.key(), Retries.waitMicros(each));
    }
    if (account.courtesy != null
        && account.group.kind() == Group.Kind.POLITE
        && !account.courtesy.hadToBeDenied(audit.nodes(), account, claim.cost())) {
      String what = "denied " + claim.cost() + ", for which there is room";
      audit.violate(Invariant.POLITE, account, what);
    }
  }

  /** What the store tells is not when the same would pass. */
  void wrongWait(Claim claim, Decision each) {
    audit.violate(Invariant.RETRY, audit.account(claim), "the store does not keep to " + each);
  }

  private void applied(Message message, Claim claim, Holding holding) {
    Account account = holding.account;
    long cost = claim.cost();
    switch (message.purpose) {
      case QUESTION -> {
        if (message.request != null) {
          message.request.granted.add(claim.key());
        }
        account.spends++;
        enter(account, message, cost, claim.permit(), true);
      }
      case REFILL -> {
        holding.refillsApplied += cost;
        account.spends++;
        ofWindow(message, holding, cost);
      }
      case RETURN -> {
        world.count(Happening.RETURN);
        account.givenNanos = world.nanos();
        holding.returnsApplied += cost;
        ofWindow(message, holding, -cost);
      }
      case REFUND -> {
        world.count(Happening.REFUND);
        account.givenNanos = world.nanos();
        enter(account, message, -cost, claim.permit(), false);
      }
      case CHARGE -> {
        world.count(Happening.CHARGE);
        account.spends++;
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
    if (account.courtesy != null) {
      courteously(account.courtesy, message, holding, cost);
    }
  }

  private void courteously(Courtesy courtesy, Message message, Holding holding, long cost) {
    switch (message.purpose) {
      case QUESTION, CHARGE -> courtesy.counted(cost);
      case REFILL -> {
        courtesy.refilled(holding, message, cost);
        watch(courtesy, message.node, holding, holding.outNanos);
      }
      case RETURN -> courtesy.returned(holding, cost);
      case REFUND, LOOK -> {}
    }
  }

  private void watch(Courtesy courtesy, Node node, Holding holding, long refilledNanos) {
    long paused = node.pause.nanos();
    world.after(
        UNWANTED_NANOS,
        () -> {
          if (node.pause.nanos() == paused) {
            givenBack(courtesy, node, holding, refilledNanos);
          } else if (node.isAlive()) {
            watch(courtesy, node, holding, refilledNanos);
          }
        });
  }

  /** If it took no more since, nobody wanted what it had. */
  private void givenBack(Courtesy courtesy, Node node, Holding holding, long refilledNanos) {
    long kept = courtesy.kept(holding);
    if (kept > 0 && holding.outNanos == refilledNanos) {
      audit.violate(Invariant.POLITE, holding.account, node + " keeps " + kept + " for nobody");
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
    audit.nodes().forEach(node -> node.holdings.values().forEach(one -> one.held.forget()));
    forgotMicros = clock.micros();
    for (Message message : messages) {
      message.forgotten = true;
      for (Claim claim : message.claims) {
        Account account = audit.account(claim);
        boolean took = message.operation == Operation.TAKE;
        if (account.courtesy != null && message.operation == Operation.REFUND) {
          account.courtesy.counted(claim.cost());
        }
        if (account.leases() && took) {
          account.enter(world.nanos(), message.micros, -claim.cost(), false);
        }
      }
    }
    for (Account account : audit.accounts()) {
      account.spends++;
      if (account.leases() && stepMicros < 0) {
        // Counters that remember their last moment wait for the clock, others do not: what that
        // allows is little, and not worth following.
        account.beginAnew(world.nanos(), clock.micros());
      }
    }
  }
}
