package dev.weir.simulation;

import java.util.List;
import java.util.Map;

/** One run: everything that a seed makes happen, and what was broken. */
final class Simulation {
  /** So long after the last request all is settled. */
  private static final long SETTLING_NANOS = World.millis(6_000);

  private Simulation() {}

  /** What came of it. */
  record Outcome(
      long seed,
      List<Violation> violations,
      long digest,
      long messages,
      Map<Happening, Long> happened) {
    boolean isSound() {
      return violations.isEmpty();
    }
  }

  static Outcome run(long seed, Seams seams, Story story) {
    World world = new World(seed, story);
    Plan plan = Plan.draw(world.random());
    world.tell(() -> "! " + Words.plan(seed, plan));
    long startMicros = 1_700_000_000_000_000L + world.random().nextLong(3_600_000_000L);
    Wall clock = new Wall(world, startMicros, 0);
    Audit audit = new Audit(world, clock, plan.groups());
    Ledger ledger = new Ledger(world, clock, audit);
    Verdicts verdicts = new Verdicts(world, audit, clock, plan);
    Central central = new Central(world, clock, ledger, seams);
    Registry registry = new Registry(world, central, plan.linkTimeoutNanos());
    Cluster cluster =
        new Cluster(
            world, plan, central, clock, new Node.Hub(audit, ledger, verdicts, registry, seams));
    Faults faults = new Faults(world, cluster, central, registry, plan);
    Clients clients = new Clients(world, audit, verdicts, plan);
    plan.groups().forEach(clients::start);
    if (plan.calm()) {
      faults.scheduleRestart();
    } else {
      faults.schedule();
    }
    world.runUntil(plan.trafficNanos());
    faults.heal();
    world.runUntil(plan.trafficNanos() + SETTLING_NANOS);
    verdicts.unanswered();
    for (Node node : cluster.nodes()) {
      if (node.isServing()) {
        Books.balance(audit, node);
        Books.settled(audit, node);
      }
    }
    Histories.check(audit, plan.calm());
    return new Outcome(
        seed, audit.violations(), world.digest(), ledger.messages(), world.happened());
  }
}
