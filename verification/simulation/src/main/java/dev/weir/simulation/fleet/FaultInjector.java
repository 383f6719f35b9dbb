package dev.weir.simulation.fleet;

import dev.weir.simulation.fleet.CentralStore.Health;
import dev.weir.simulation.plan.Plan;
import dev.weir.simulation.world.EventType;
import dev.weir.simulation.world.World;
import java.util.List;
import java.util.function.Consumer;

/** Injects random faults for a while, and repairs all of them in the end. */
public final class FaultInjector {
  private static final int KINDS = 10;
  private static final long[] JUMPS_MICROS = {1_000, 250_000, 1_000_000};
  private static final List<Health> FAILING =
      List.of(Health.SILENT, Health.REFUSING, Health.HANGING);

  private final World world;
  private final Cluster cluster;
  private final CentralStore central;
  private final RosterService roster;
  private final long untilNanos;

  /** Injects faults only until the traffic of the plan ends. */
  public FaultInjector(
      World world, Cluster cluster, CentralStore central, RosterService roster, Plan plan) {
    this.world = world;
    this.cluster = cluster;
    this.central = central;
    this.roster = roster;
    this.untilNanos = plan.trafficNanos();
  }

  /** Schedules one to five faults. */
  public void schedule() {
    int faults = 1 + world.random().nextInt(5);
    for (int i = 0; i < faults; i++) {
      int kind = world.random().nextInt(KINDS);
      world.after(world.between(World.millis(1_500), untilNanos), () -> inject(kind));
    }
  }

  /** Schedules no fault, but in half of the runs stops and restarts a server in order. */
  public void scheduleRestart() {
    if (world.chance(0.5)) {
      world.after(world.between(World.millis(1_500), untilNanos), this::stop);
    }
  }

  private void inject(int kind) {
    switch (kind) {
      case 0 -> messageLoss();
      case 1 -> slowNetwork();
      case 2 -> outage(world.between(World.millis(50), World.millis(8_000)));
      case 3 -> flap(2 + world.random().nextInt(4));
      case 4 -> failover();
      case 5 -> crash();
      case 6 -> stop();
      case 7 -> partition();
      case 8 -> cluster.pauseOne(world.between(World.millis(1_000), World.millis(20_000)));
      default -> clockJump();
    }
  }

  private void messageLoss() {
    double requests = world.chance(0.5) ? 0 : world.random().nextDouble() * 0.3;
    double replies = world.chance(0.3) ? 0 : world.random().nextDouble() * 0.3;
    world.log(() -> "! links lose " + requests + " of requests, " + replies + " of replies");
    degradeLinks(
        link -> {
          link.requestLoss = requests;
          link.replyLoss = replies;
        },
        link -> {
          link.requestLoss = 0;
          link.replyLoss = 0;
        });
  }

  private void slowNetwork() {
    long slowNanos = world.chance(0.5) ? 0 : world.between(0, World.millis(60));
    double stalls = slowNanos == 0 ? 0.2 : 0.02;
    world.log(() -> "! links take up to " + slowNanos / 1_000 + " us longer, " + stalls + " stall");
    degradeLinks(
        link -> {
          link.extraDelayNanos = slowNanos;
          link.stallProbability = stalls;
        },
        link -> {
          link.extraDelayNanos = 0;
          link.stallProbability = 0;
        });
  }

  /** Degrades all links, or one, for a while. */
  private void degradeLinks(Consumer<NetworkLink> begin, Consumer<NetworkLink> end) {
    List<NetworkLink> all = cluster.links();
    List<NetworkLink> some =
        world.chance(0.5) ? all : List.of(all.get(world.random().nextInt(all.size())));
    some.forEach(begin);
    world.after(
        world.between(World.millis(300), World.millis(5_000)),
        () -> {
          world.log(() -> "! links are repaired");
          some.forEach(end);
        });
  }

  private void outage(long nanos) {
    Health health = FAILING.get(world.random().nextInt(FAILING.size()));
    boolean applyWaiting = world.chance(0.7);
    central.setHealth(health, false);
    world.after(nanos, () -> central.setHealth(Health.UP, applyWaiting));
  }

  private void flap(int times) {
    if (world.nanos() >= untilNanos) {
      return;
    }
    world.count(EventType.FLAPPING);
    outage(world.between(World.millis(100), World.millis(900)));
    if (times > 1) {
      world.after(World.millis(1_000), () -> flap(times - 1));
    }
  }

  private void failover() {
    long outageNanos = world.between(0, World.millis(1_500));
    boolean losesAll = world.chance(0.35);
    long lag = losesAll ? Long.MAX_VALUE : world.between(0, World.millis(300));
    long step = world.chance(0.5) ? 0 : world.between(-50_000, 50_000);
    central.setHealth(world.chance(0.5) ? Health.REFUSING : Health.SILENT, false);
    world.after(
        outageNanos,
        () -> {
          central.failover(lag, step);
          if (losesAll) {
            roster.loseData();
          }
          central.setHealth(Health.UP, false);
        });
  }

  private void crash() {
    int slot = cluster.crashOne();
    world.after(world.between(World.millis(100), World.millis(6_000)), () -> cluster.startAt(slot));
  }

  private void stop() {
    int slot = cluster.stopOne();
    world.after(world.between(World.millis(600), World.millis(6_000)), () -> cluster.startAt(slot));
  }

  private void partition() {
    List<NetworkLink> all = cluster.links();
    NetworkLink link = all.get(world.random().nextInt(all.size()));
    link.state = world.chance(0.5) ? Health.SILENT : Health.REFUSING;
    world.log(() -> "! link " + all.indexOf(link) + " is cut: " + link.state);
    world.count(EventType.NETWORK_PARTITION);
    world.after(
        world.between(World.millis(100), World.millis(6_000)),
        () -> {
          world.log(() -> "! link " + all.indexOf(link) + " is repaired");
          link.state = Health.UP;
        });
  }

  /**
   * Sets a clock by milliseconds, by about a window, or by more than most counters wait for; in
   * half of the cases during an outage.
   */
  private void clockJump() {
    long steps = world.random().nextLong(-90, 90);
    long micros = steps * JUMPS_MICROS[world.random().nextInt(JUMPS_MICROS.length)];
    if (world.chance(0.5)) {
      outage(world.between(World.millis(1_000), World.millis(4_000)));
      world.after(World.millis(900), () -> cluster.jumpOne(micros));
    } else {
      cluster.jumpOne(micros);
    }
  }

  /** Repairs everything. */
  public void heal() {
    world.log(() -> "! everything is repaired");
    cluster.links().forEach(FaultInjector::repair);
    central.setHealth(Health.UP, true);
    cluster.resumeAll();
  }

  private static void repair(NetworkLink link) {
    link.requestLoss = 0;
    link.replyLoss = 0;
    link.extraDelayNanos = 0;
    link.stallProbability = 0;
    link.state = Health.UP;
  }
}
