package dev.weir.simulation;

import dev.weir.Algorithm;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.LimitKey;
import dev.weir.Mode;
import dev.weir.rule.Match;
import dev.weir.simulation.Message.Operation;
import dev.weir.simulation.Message.Purpose;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Keeps accounts of everything that can be seen from outside, and says where a promise is broken.
 */
final class Audit {
  /** What takes longer has been held up by a fault. */
  private static final long HELD_UP_NANOS = World.millis(5);

  private final World world;
  private final Wall clock;
  private final Map<LimitKey, Account> accounts = new LinkedHashMap<>();
  private final Map<Invariant, Violation> violations = new EnumMap<>(Invariant.class);
  private final List<Node> nodes = new ArrayList<>();
  private final Map<Holding, long[]> windows = new HashMap<>();
  private @Nullable Request current;
  private long numbers;
  private long forgotMicros;

  /**
   * @param clock the clock of the store, by which limits are counted
   */
  Audit(World world, Wall clock, List<Group> groups) {
    this.world = world;
    this.clock = clock;
    for (Group group : groups) {
      for (int client = 0; client < group.clients(); client++) {
        Match match = group.match(client, 1, 1);
        for (int i = 0; i < match.claims().size(); i++) {
          String label = match.rules().get(i).name() + "/" + Group.client(client);
          Claim claim = match.claims().get(i);
          accounts.put(claim.key(), new Account(label, group, match.rules().get(i), claim));
        }
      }
    }
  }

  Iterable<Account> accounts() {
    return accounts.values();
  }

  Account account(Claim claim) {
    Account account = accounts.get(claim.key());
    if (account == null) {
      throw new IllegalStateException("a claim on a counter that nobody has: " + claim);
    }
    return account;
  }

  Holding holding(Node node, Claim claim) {
    return node.holding(account(claim));
  }

  /** The first of each kind is enough. */
  void violate(Invariant invariant, Object account, String what) {
    Violation one = new Violation(invariant, world.nanos(), account.toString(), what);
    if (violations.putIfAbsent(invariant, one) == null) {
      world.tell(() -> "! BROKEN " + invariant + " " + account + ": " + what);
    }
  }

  void violateAt(long nanos, Invariant invariant, Object account, String what) {
    violations.putIfAbsent(invariant, new Violation(invariant, nanos, account.toString(), what));
  }

  List<Violation> violations() {
    return List.copyOf(violations.values());
  }

  // What servers ask.

  Purpose purposeOfTake(List<Claim> claims) {
    return isOfLease(claims) ? Purpose.REFILL : Purpose.QUESTION;
  }

  Purpose purposeOfRefund(List<Claim> claims) {
    return isOfLease(claims) ? Purpose.RETURN : Purpose.REFUND;
  }

  /** A lease asks for itself, and then its claim is one for the store alone. */
  private boolean isOfLease(List<Claim> claims) {
    return claims.size() == 1
        && claims.get(0).mode().equals(Mode.STRICT)
        && account(claims.get(0)).leases();
  }

  void asking(@Nullable Request request) {
    current = request;
  }

  @Nullable Request asking() {
    return current;
  }

  /** The store is asked on behalf of a client. */
  void questioned() {
    if (current == null) {
      violate(Invariant.ONCE, "a question", "asked when no client was asking");
    } else if (++current.questions > 1) {
      violate(Invariant.ONCE, "request " + current.number, "the store was asked twice");
    }
  }

  void refilling(Node node, Holding holding, long cost) {
    Account account = holding.account;
    long most = account.share() / node.census.fewest();
    if (cost > most) {
      String what = node + " leases " + cost + " where it may hold " + most;
      violate(Invariant.LEASED, account, what);
    }
  }

  void returning(Holding holding, long cost) {
    holding.returnsAsked += cost;
    slack(holding.account, cost);
  }

  void returned(Holding holding, long cost) {
    slack(holding.account, -cost);
  }

  private void slack(Account account, long more) {
    account.returning = Math.max(0, account.returning + more);
    enterSlack(account);
  }

  private void enterSlack(Account account) {
    account.enter(world.nanos(), clock.micros(), 0, false);
  }

  // What the network carries and the store does.

  Message sent(Node node, Operation operation, List<Claim> claims) {
    Purpose purpose =
        switch (operation) {
          case TAKE -> purposeOfTake(claims);
          case REFUND -> purposeOfRefund(claims);
          case CHARGE -> Purpose.CHARGE;
          case LOOK, FORGET -> Purpose.LOOK;
        };
    Message message = new Message(++numbers, node, operation, purpose, claims, world.nanos());
    world.mark(message.number);
    if (purpose == Purpose.LOOK) {
      return message;
    }
    for (Claim claim : claims) {
      Holding holding = holding(node, claim);
      holding.sentTake += operation == Operation.TAKE ? claim.cost() : 0;
      holding.sentRefund += operation == Operation.REFUND ? claim.cost() : 0;
      holding.sentCharge += operation == Operation.CHARGE ? claim.cost() : 0;
      if (holding.sentTake > holding.askedTake
          || holding.sentRefund > holding.askedRefund
          || holding.sentCharge > holding.askedCharge) {
        violate(Invariant.ONCE, holding.account, message + " of " + node + " was sent again");
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
      Holding holding = holding(message.node, claim);
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
        slack(account, -cost);
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
      violate(Invariant.BOOKS, holding.account, what);
    }
  }

  /** The store has lost its memory of these, and its clock has moved. */
  void forgot(List<Message> messages, long stepMicros) {
    windows.clear();
    forgotMicros = clock.micros();
    for (Message message : messages) {
      message.forgotten = true;
      for (Claim claim : message.claims) {
        Account account = account(claim);
        boolean took = message.operation == Operation.TAKE;
        account.disturbed += message.operation == Operation.REFUND ? claim.cost() : 0;
        if (account.leases() && took) {
          account.enter(world.nanos(), message.micros, -claim.cost(), false);
        }
      }
    }
    for (Account account : accounts.values()) {
      account.spends++;
      account.disturbed += stepMicros == 0 ? 0 : account.limit.capacity();
      if (account.leases() && stepMicros < 0) {
        // Counters wait for the clock, each from its own last moment: what that allows is little,
        // and not worth following.
        account.enter(world.nanos(), clock.micros(), -account.limit.capacity(), false);
      }
    }
  }

  // Servers.

  void joined(Node node) {
    nodes.add(node);
    held();
  }

  long messages() {
    return numbers;
  }

  List<Node> nodes() {
    return nodes;
  }

  /** A server has heard how many there are, or is gone. */
  void held() {
    for (Account account : accounts.values()) {
      if (account.leases()) {
        long held = 0;
        for (Node node : nodes) {
          held += node.isAlive() ? account.share() / node.census.fewest() : 0;
        }
        account.mayHold = held;
        enterSlack(account);
      }
    }
  }
}
