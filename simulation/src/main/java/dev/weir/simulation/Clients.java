package dev.weir.simulation;

import dev.weir.Answer;
import dev.weir.Decision;
import dev.weir.rule.Match;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Asks, each group of clients in its own way, until the traffic ends. */
final class Clients {
  private static final double REFUNDED = 0.05;

  private final World world;
  private final Audit audit;
  private final Verdicts verdicts;
  private final long untilNanos;
  private long numbers;

  /** What a client does with a decision, or without one. */
  private interface Then {
    void decided(Request request);
  }

  Clients(World world, Audit audit, Verdicts verdicts, Plan plan) {
    this.world = world;
    this.audit = audit;
    this.verdicts = verdicts;
    this.untilNanos = plan.trafficNanos();
  }

  void start(Group group) {
    for (int i = 0; i < group.clients(); i++) {
      int client = i;
      long intervalNanos = (long) (1e9 / group.perSecond());
      Runnable begin =
          switch (group.kind()) {
            case POLITE -> () -> polite(group, client, intervalNanos);
            case PATIENT -> () -> patient(group, client, group.cost());
            case GREEDY -> () -> greedy(group, client, intervalNanos);
            case BURSTY -> () -> bursty(group, client, intervalNanos);
            case HOT -> () -> hot(group, client, intervalNanos);
            case HOLDING -> () -> holding(group, client, intervalNanos);
          };
      world.after(world.between(0, World.millis(1_000)), begin);
    }
  }

  private boolean isOver() {
    return world.nanos() >= untilNanos;
  }

  private void polite(Group group, int client, long intervalNanos) {
    if (!isOver()) {
      ask(anyNode(), group, client, group.cost(), request -> {});
      world.after(intervalNanos, () -> polite(group, client, intervalNanos));
    }
  }

  private void greedy(Group group, int client, long meanNanos) {
    if (!isOver()) {
      ask(anyNode(), group, client, group.cost(), this::sometimesRefund);
      world.after(exponential(meanNanos), () -> greedy(group, client, meanNanos));
    }
  }

  private void bursty(Group group, int client, long meanNanos) {
    if (!isOver()) {
      int many = 5 + world.random().nextInt(40);
      for (int i = 0; i < many; i++) {
        world.after(
            world.between(0, World.millis(80)),
            () -> ask(anyNode(), group, client, group.cost(), this::sometimesRefund));
      }
      world.after(many * meanNanos, () -> bursty(group, client, meanNanos));
    }
  }

  private void hot(Group group, int client, long intervalNanos) {
    Node favourite = anyNode();
    long endNanos = world.nanos() + world.between(World.millis(1_500), World.millis(3_500));
    hot(group, client, intervalNanos, favourite, endNanos);
  }

  private void hot(
      Group group, int client, long intervalNanos, @Nullable Node favourite, long endNanos) {
    if (isOver()) {
      return;
    }
    if (world.nanos() > endNanos) {
      world.after(
          world.between(World.millis(500), World.millis(8_000)),
          () -> hot(group, client, intervalNanos));
      return;
    }
    Node node = world.chance(0.8) ? favourite : anyNode();
    ask(node, group, client, group.cost(), this::sometimesRefund);
    world.after(
        exponential(intervalNanos), () -> hot(group, client, intervalNanos, favourite, endNanos));
  }

  private void holding(Group group, int client, long meanNanos) {
    if (isOver()) {
      return;
    }
    ask(
        anyNode(),
        group,
        client,
        group.cost(),
        request -> {
          if (request.allowed() && !world.chance(0.05)) {
            world.after(
                world.between(World.millis(5), World.millis(400)),
                () -> {
                  if (request.node.isAlive()) {
                    var unused = request.node.limiter.release(request.match.claims());
                  }
                });
          }
        });
    world.after(exponential(meanNanos), () -> holding(group, client, meanNanos));
  }

  /** One request after the other; after a denial, again exactly when told. */
  private void patient(Group group, int client, long cost) {
    if (isOver()) {
      return;
    }
    boolean asked =
        ask(anyNode(), group, client, cost, request -> patientTold(group, client, cost, request));
    if (!asked) {
      world.after(World.millis(100), () -> patient(group, client, cost));
    }
  }

  private void patientTold(Group group, int client, long cost, Request request) {
    Decision decision = request.decision;
    Duration wait = decision == null ? null : decision.retryAfter().orElse(null);
    if (decision == null || wait == null || request.failure != null) {
      long pause = world.between(World.millis(1), World.millis(30));
      world.after(pause, () -> patient(group, client, another(group)));
      return;
    }
    if (world.chance(0.2)) {
      // Impatient for once: what is told now must be as true.
      patient(group, client, another(group));
      return;
    }
    Account account = audit.account(request.match.claims().get(0));
    // What a server remembers it may tell for a while after another one spent, or a lease took.
    boolean remembered = decision.basis() == Decision.Basis.REMEMBERED;
    boolean stale = remembered && spentElsewhere(account, request.node);
    long then = remembered ? account.spends : request.spendsThen;
    long spends = stale ? Long.MIN_VALUE : then;
    world.tell(() -> "  " + account + " comes back in " + wait);
    world.after(wait.toNanos(), () -> again(group, client, cost, account, spends, wait));
  }

  private void again(
      Group group, int client, long cost, Account account, long spends, Duration wait) {
    if (isOver()) {
      return;
    }
    boolean asked =
        ask(
            anyNode(),
            group,
            client,
            cost,
            request -> {
              Decision told = request.decision;
              if (request.failure == null
                  && told != null
                  && !told.allowed()
                  && account.spends == spends) {
                String what = "came back after " + wait + " as told, and was told " + told;
                audit.violate(Invariant.RETRY, account, what);
              }
              patientTold(group, client, cost, request);
            });
    if (!asked) {
      world.after(World.millis(100), () -> patient(group, client, cost));
    }
  }

  private boolean spentElsewhere(Account account, Node node) {
    long recently = world.nanos() - World.millis(1_100);
    return account.behindNanos > recently
        || audit.nodes().stream()
            .anyMatch(other -> other != node && other.holding(account).spentNanos > recently);
  }

  private long another(Group group) {
    return Math.max(1, group.cost() + world.random().nextInt(3));
  }

  private void sometimesRefund(Request request) {
    if (request.allowed()
        && request.failure == null
        && request.group.refunds()
        && world.chance(REFUNDED)) {
      world.after(
          world.between(World.millis(1), World.millis(50)),
          () -> {
            if (request.node.isAlive()) {
              verdicts.refunded(request);
              var unused = request.node.limiter.store().refund(request.match.claims());
            }
          });
    }
  }

  private @Nullable Node anyNode() {
    List<Node> alive = audit.nodes().stream().filter(Node::isServing).toList();
    return alive.isEmpty() ? null : alive.get(world.random().nextInt(alive.size()));
  }

  private long exponential(long meanNanos) {
    return (long) (-Math.log(1 - world.random().nextDouble()) * meanNanos);
  }

  private boolean ask(@Nullable Node node, Group group, int client, long cost, Then then) {
    if (node == null || !node.isServing()) {
      return false;
    }
    long number = ++numbers;
    Match match = group.match(client, cost, number);
    Request request = new Request(number, group, node, match, world.nanos());
    verdicts.began(request);
    audit.asking(request);
    Answer answer = node.limiter.take(match);
    audit.asking(null);
    if (answer instanceof Decision decision) {
      end(request, decision, null, then);
    } else {
      var unused =
          answer.stage().whenComplete((decision, thrown) -> end(request, decision, thrown, then));
    }
    return true;
  }

  private void end(
      Request request, @Nullable Decision decision, @Nullable Throwable thrown, Then then) {
    verdicts.ended(request, decision, thrown);
    // Not on the stack of whoever told: clients are elsewhere.
    world.after(0, () -> then.decided(request));
  }
}
