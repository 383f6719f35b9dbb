package dev.weir.simulation;

import dev.weir.simulation.audit.Audit;
import dev.weir.simulation.audit.BalanceCheck;
import dev.weir.simulation.audit.DecisionCheck;
import dev.weir.simulation.audit.HistoryCheck;
import dev.weir.simulation.audit.MessageLedger;
import dev.weir.simulation.audit.Violation;
import dev.weir.simulation.fleet.CentralStore;
import dev.weir.simulation.fleet.Cluster;
import dev.weir.simulation.fleet.FaultInjector;
import dev.weir.simulation.fleet.InjectionPoints;
import dev.weir.simulation.fleet.RosterService;
import dev.weir.simulation.fleet.SimulatedServer;
import dev.weir.simulation.plan.Plan;
import dev.weir.simulation.traffic.ClientTraffic;
import dev.weir.simulation.world.EventLog;
import dev.weir.simulation.world.EventType;
import dev.weir.simulation.world.WallClock;
import dev.weir.simulation.world.World;
import java.util.List;
import java.util.Map;

/** One run of a seed, and the invariants that it broke. */
final class Simulation {
  /** How long after the last request all charges and returns are done. */
  private static final long SETTLING_NANOS = World.millis(6_000);

  private Simulation() {}

  /** The outcome of a run. */
  record Outcome(
      long seed,
      List<Violation> violations,
      long digest,
      long messages,
      Map<EventType, Long> eventCounts) {
    boolean isSound() {
      return violations.isEmpty();
    }
  }

  /** Runs the simulation; {@code points} may plant a bug. */
  static Outcome run(long seed, InjectionPoints points, EventLog eventLog) {
    World world = new World(seed, eventLog);
    Plan plan = Plan.draw(world.random());
    world.log(() -> "! " + Report.describe(seed, plan));
    long startMicros = 1_700_000_000_000_000L + world.random().nextLong(3_600_000_000L);
    WallClock clock = new WallClock(world, startMicros, 0);
    Audit audit = new Audit(world, clock, plan.groups());
    MessageLedger ledger = new MessageLedger(world, clock, audit);
    DecisionCheck decisionCheck = new DecisionCheck(world, audit, clock, plan);
    CentralStore central = new CentralStore(world, clock, ledger, points);
    RosterService roster = new RosterService(world, central, plan.linkTimeoutNanos());
    Cluster cluster =
        new Cluster(
            world,
            plan,
            central,
            clock,
            new SimulatedServer.Environment(audit, ledger, decisionCheck, roster, points));
    FaultInjector faults = new FaultInjector(world, cluster, central, roster, plan);
    ClientTraffic traffic = new ClientTraffic(world, cluster, audit, decisionCheck, plan);
    plan.groups().forEach(traffic::start);
    if (plan.calm()) {
      faults.scheduleRestart();
    } else {
      faults.schedule();
    }
    world.runUntil(plan.trafficNanos());
    faults.heal();
    world.runUntil(plan.trafficNanos() + SETTLING_NANOS);
    decisionCheck.checkUnanswered();
    for (SimulatedServer server : cluster.servers()) {
      if (server.isServing()) {
        BalanceCheck.checkLeases(audit, server);
        BalanceCheck.checkPendingCharges(audit, server);
      }
    }
    HistoryCheck.check(audit, plan.calm());
    return new Outcome(
        seed, audit.violations(), world.digest(), ledger.messages(), world.eventCounts());
  }
}
