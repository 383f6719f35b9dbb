package dev.weir.simulation;

import dev.weir.Answer;
import dev.weir.Decision;
import dev.weir.rule.Match;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Asks, each group of clients in its own way, until the traffic ends. */
final class Clients {
  private static final double REFUNDED = 0.05;

  private final World world;
  private final Audit audit;
  private final Verdicts verdicts;
  private final long untilNanos;
  private final Patience patience;
  private long numbers;

  /** What a client does with a decision, or without one. */
  interface Then {
    void decided(Request request);
  }

  Clients(World world, Audit audit, Verdicts verdicts, Plan plan) {
    this.world = world;
    this.audit = audit;
    this.verdicts = verdicts;
    this.untilNanos = plan.trafficNanos();
    this.patience = new Patience(world, audit, this);
  }

  void start(Group group) {
    for (int i = 0; i < group.clients(); i++) {
      int client = i;
      long intervalNanos = (long) (1e9 / group.perSecond());
      Runnable begin =
          switch (group.kind()) {
            case POLITE -> {
              Choice choice = world.chance(0.5) ? this::anyNode : faithful();
              yield () -> polite(group, client, intervalNanos, choice);
            }
            case PATIENT -> () -> patience.ask(group, client, group.cost());
            case GREEDY -> () -> greedy(group, client, intervalNanos);
            case BURSTY -> () -> bursty(group, client, intervalNanos);
            case HOT -> () -> hot(group, client, intervalNanos);
            case HOLDING -> () -> holding(group, client, intervalNanos);
          };
      world.after(world.between(0, World.millis(1_000)), begin);
    }
  }

  boolean isOver() {
    return world.nanos() >= untilNanos;
  }

  private void polite(Group group, int client, long intervalNanos, Choice choice) {
    if (!isOver()) {
      ask(choice.node(), group, client, group.cost(), request -> {});
      world.after(intervalNanos, () -> polite(group, client, intervalNanos, choice));
    }
  }

  /** Which server to ask, if there is one. */
  private interface Choice {
    @Nullable Node node();
  }

  /** One for a while, then another one: what it had leased for the client nobody wants. */
  private Choice faithful() {
    return new Choice() {
      private @Nullable Node favourite;
      private long leavesNanos;

      @Override
      public @Nullable Node node() {
        if (favourite == null || !favourite.isServing() || world.nanos() >= leavesNanos) {
          favourite = anyNode();
          leavesNanos = world.nanos() + world.between(World.millis(300), World.millis(2_500));
        }
        return favourite;
      }
    };
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
                () -> request.node.run(() -> release(request)));
          }
        });
    world.after(exponential(meanNanos), () -> holding(group, client, meanNanos));
  }

  private void release(Request request) {
    verdicts.refunded(request);
    var unused = request.node.limiter.release(request.match.claims());
  }

  private void sometimesRefund(Request request) {
    if (request.allowed()
        && request.failure == null
        && request.group.refunds()
        && world.chance(REFUNDED)) {
      world.after(
          world.between(World.millis(1), World.millis(50)),
          () -> request.node.run(() -> refund(request)));
    }
  }

  private void refund(Request request) {
    var unused =
        request
            .node
            .limiter
            .store()
            .refund(request.match.claims())
            .stage()
            .thenRun(() -> verdicts.refunded(request));
  }

  /** One that answers; if all of them are paused, one of those. */
  @Nullable Node anyNode() {
    List<Node> serving = audit.nodes().stream().filter(Node::isServing).toList();
    List<Node> awake = serving.stream().filter(node -> !node.pause.isPaused()).toList();
    List<Node> best = awake.isEmpty() ? serving : awake;
    return best.isEmpty() ? null : best.get(world.random().nextInt(best.size()));
  }

  private long exponential(long meanNanos) {
    return (long) (-Math.log(1 - world.random().nextDouble()) * meanNanos);
  }

  boolean ask(@Nullable Node node, Group group, int client, long cost, Then then) {
    if (node == null || !node.isServing()) {
      return false;
    }
    node.run(() -> arrive(node, group, client, cost, then));
    return true;
  }

  private void arrive(Node node, Group group, int client, long cost, Then then) {
    long number = ++numbers;
    Match match = group.match(client, cost, number);
    Request request = new Request(number, group, node, match, world.nanos());
    verdicts.began(request);
    audit.asking(request);
    Answer answer = node.take(match);
    audit.asking(null);
    if (answer instanceof Decision decision) {
      end(request, decision, null, then);
    } else {
      var unused =
          answer.stage().whenComplete((decision, thrown) -> end(request, decision, thrown, then));
    }
  }

  private void end(
      Request request, @Nullable Decision decision, @Nullable Throwable thrown, Then then) {
    verdicts.ended(request, decision, thrown);
    // Not on the stack of whoever told: clients are elsewhere.
    world.after(0, () -> then.decided(request));
  }
}
