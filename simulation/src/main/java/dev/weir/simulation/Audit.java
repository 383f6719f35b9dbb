package dev.weir.simulation;

import dev.weir.Answer;
import dev.weir.Claim;
import dev.weir.LimitKey;
import dev.weir.Mode;
import dev.weir.rule.Match;
import dev.weir.simulation.Message.Purpose;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps accounts of everything that can be seen from outside, and says where a promise is broken.
 */
final class Audit {
  final Lending lending;
  private final World world;
  private final Map<LimitKey, Account> accounts = new LinkedHashMap<>();
  private final Map<Invariant, Violation> violations = new EnumMap<>(Invariant.class);
  private final List<Node> nodes = new ArrayList<>();
  private @Nullable Request current;
  private @Nullable Call calling;

  /**
   * @param clock the clock of the store, by which limits are counted
   */
  Audit(World world, Wall clock, List<Group> groups) {
    this.world = world;
    this.lending = new Lending(world, clock, this);
    for (Group group : groups) {
      for (int client = 0; client < group.clients(); client++) {
        Match match = group.match(client, 1, 1);
        for (int i = 0; i < match.claims().size(); i++) {
          String label = match.rules().get(i).name() + "/" + Group.client(client);
          Claim claim = match.claims().get(i);
          accounts.put(
              claim.key(),
              new Account(
                  label,
                  group,
                  match.rules().get(i),
                  claim,
                  limit -> new Courtesy(world, clock, limit)));
        }
      }
    }
  }

  Iterable<Account> accounts() {
    return accounts.values();
  }

  /** Whether a claim is a client's. */
  boolean knows(Claim claim) {
    return accounts.containsKey(claim.key());
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

  /** A server asks its store for something. */
  Answer during(Call call, Supplier<Answer> asking) {
    Call before = calling;
    calling = call;
    try {
      return asking.get();
    } finally {
      calling = before;
    }
  }

  /** Each message is of a call, and is the only one. */
  void sent(Message message) {
    if (calling == null || !calling.sends(message)) {
      Account account = account(message.claims.get(0));
      String what = message + " of " + message.node + " was sent again, or is not what was asked";
      violate(Invariant.ONCE, account, what);
    }
  }

  /** The store is asked on behalf of a client. */
  void questioned() {
    if (current == null) {
      violate(Invariant.ONCE, "a question", "asked when no client was asking");
    } else if (++current.questions > 1) {
      violate(Invariant.ONCE, "request " + current.number, "the store was asked twice");
    }
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
    lending.held();
  }
}
