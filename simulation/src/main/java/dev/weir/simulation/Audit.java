package dev.weir.simulation;

import dev.weir.Algorithm;
import dev.weir.Claim;
import dev.weir.Limit;
import dev.weir.LimitKey;
import dev.weir.Mode;
import dev.weir.rule.Match;
import dev.weir.simulation.Holding.Alone;
import dev.weir.simulation.Message.Purpose;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Keeps accounts of everything that can be seen from outside, and says where a promise is broken.
 */
final class Audit {
  private final World world;
  private final Wall clock;
  private final Map<LimitKey, Account> accounts = new LinkedHashMap<>();
  private final Map<Invariant, Violation> violations = new EnumMap<>(Invariant.class);
  private final List<Node> nodes = new ArrayList<>();
  private @Nullable Request current;

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

  /**
   * A server asks for permits in advance: once at a time, and with what it holds no more than it
   * may. What became void with its window, or was taken back from a request that did not pass, is
   * not seen from outside: there only what is asked for counts.
   */
  void refilling(Node node, Holding holding, long cost) {
    Account account = holding.account;
    long most = node.census.mayHold(account.share());
    boolean seen =
        account.limit.algorithm() != Algorithm.FIXED_WINDOW && account.group.rules().size() == 1;
    // What is being spent at this very moment has not been told yet.
    long spending = current == null ? 0 : current.match.claims().get(0).cost();
    long spent = holding.leasedSpent + (seen ? spending : 0);
    long held = seen ? Math.max(0, holding.refillsTold - spent - holding.returnsAsked) : 0;
    if (holding.awaiting || held + cost > most) {
      String what = node + " leases " + cost + " with " + held + " where it may hold " + most;
      violate(Invariant.LEASED, account, holding.awaiting ? what + ", twice at a time" : what);
    }
    holding.awaiting = true;
  }

  /** Permits of a lease are on their way back. */
  void returning(Holding holding, long cost) {
    holding.returnsAsked += cost;
    onItsWay(holding.account, cost);
  }

  /** They have arrived, or were never sent. */
  void returned(Holding holding, long cost) {
    onItsWay(holding.account, -cost);
  }

  private void onItsWay(Account account, long more) {
    account.returning = Math.max(0, account.returning + more);
    enterSlack(account);
  }

  /**
   * What was granted without the store is charged to it: of a window no more than was granted in
   * it, as long as nothing was moved from one to the next.
   */
  void charging(Node node, Holding holding, long cost) {
    Limit limit = holding.account.limit;
    boolean windowed =
        limit.algorithm() == Algorithm.FIXED_WINDOW || limit.algorithm() == Algorithm.SLIDING_LOG;
    if (!windowed || node.jumps > 0 || node.toldAll || holding.chargesUndone) {
      return;
    }
    long now = node.wall.micros();
    boolean fixed = limit.algorithm() == Algorithm.FIXED_WINDOW;
    long since = fixed ? limit.windowStartMicros(now) - 1 : now - limit.windowMicros();
    long worth = 0;
    int epoch = node.census.news() + node.jumps;
    for (Alone one : holding.alone) {
      if (one.epoch() != epoch) {
        return;
      }
      worth += one.micros() > since && !one.noted() ? one.amount() : 0;
    }
    if (cost > worth) {
      String what = node + " charges " + cost + ", granted " + worth + " in this window";
      violate(Invariant.BOOKS, holding.account, what);
    }
  }

  private void enterSlack(Account account) {
    account.enter(world.nanos(), clock.micros(), 0, false);
  }

  // Servers.

  void joined(Node node) {
    nodes.add(node);
    held();
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
          held += node.isAlive() ? node.census.mayHold(account.share()) : 0;
        }
        account.mayHold = held;
        enterSlack(account);
      }
    }
  }
}
