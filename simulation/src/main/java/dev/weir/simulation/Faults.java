package dev.weir.simulation;

import dev.weir.simulation.Central.Health;
import java.util.List;
import java.util.function.Consumer;

/** Breaks things for a while, by chance, and mends all of them in the end. */
final class Faults {
  private static final int KINDS = 10;
  private static final long[] JUMPS_MICROS = {1_000, 250_000, 1_000_000};
  private static final List<Health> FAILING =
      List.of(Health.SILENT, Health.REFUSING, Health.HANGING);

  private final World world;
  private final Cluster cluster;
  private final Central central;
  private final Registry registry;
  private final long untilNanos;

  Faults(World world, Cluster cluster, Central central, Registry registry, Plan plan) {
    this.world = world;
    this.cluster = cluster;
    this.central = central;
    this.registry = registry;
    this.untilNanos = plan.trafficNanos();
  }

  void schedule() {
    int many = 1 + world.random().nextInt(5);
    for (int i = 0; i < many; i++) {
      int kind = world.random().nextInt(KINDS);
      world.after(world.between(World.millis(1_500), untilNanos), () -> happen(kind));
    }
  }

  /** Nothing breaks, but now and then a server is stopped and started in order. */
  void scheduleRestart() {
    if (world.chance(0.5)) {
      world.after(world.between(World.millis(1_500), untilNanos), this::stop);
    }
  }

  private void happen(int kind) {
    switch (kind) {
      case 0 -> lossy();
      case 1 -> slow();
      case 2 -> outage(world.between(World.millis(50), World.millis(8_000)));
      case 3 -> flap(2 + world.random().nextInt(4));
      case 4 -> failover();
      case 5 -> crash();
      case 6 -> stop();
      case 7 -> partition();
      case 8 -> cluster.pauseOne(world.between(World.millis(1_000), World.millis(20_000)));
      default -> jump();
    }
  }

  private void lossy() {
    double requests = world.chance(0.5) ? 0 : world.random().nextDouble() * 0.3;
    double replies = world.chance(0.3) ? 0 : world.random().nextDouble() * 0.3;
    world.tell(() -> "! lines lose " + requests + " of requests, " + replies + " of replies");
    lines(
        line -> {
          line.losesRequests = requests;
          line.losesReplies = replies;
        },
        line -> {
          line.losesRequests = 0;
          line.losesReplies = 0;
        });
  }

  private void slow() {
    long slowNanos = world.chance(0.5) ? 0 : world.between(0, World.millis(60));
    double stalls = slowNanos == 0 ? 0.2 : 0.02;
    world.tell(
        () -> "! lines take up to " + slowNanos / 1_000 + " us longer, " + stalls + " stall");
    lines(
        line -> {
          line.slowNanos = slowNanos;
          line.stalls = stalls;
        },
        line -> {
          line.slowNanos = 0;
          line.stalls = 0;
        });
  }

  /** Of everybody, or of one server. */
  private void lines(Consumer<Line> begin, Consumer<Line> end) {
    List<Line> all = cluster.lines();
    List<Line> some =
        world.chance(0.5) ? all : List.of(all.get(world.random().nextInt(all.size())));
    some.forEach(begin);
    world.after(
        world.between(World.millis(300), World.millis(5_000)),
        () -> {
          world.tell(() -> "! lines are well again");
          some.forEach(end);
        });
  }

  private void outage(long nanos) {
    Health how = FAILING.get(world.random().nextInt(FAILING.size()));
    boolean doWaiting = world.chance(0.7);
    central.become(how, false);
    world.after(nanos, () -> central.become(Health.UP, doWaiting));
  }

  private void flap(int times) {
    if (world.nanos() >= untilNanos) {
      return;
    }
    world.count(Happening.FLAPPING);
    outage(world.between(World.millis(100), World.millis(900)));
    if (times > 1) {
      world.after(World.millis(1_000), () -> flap(times - 1));
    }
  }

  private void failover() {
    long gone = world.between(0, World.millis(1_500));
    boolean everything = world.chance(0.35);
    long lag = everything ? Long.MAX_VALUE : world.between(0, World.millis(300));
    long step = world.chance(0.5) ? 0 : world.between(-50_000, 50_000);
    central.become(world.chance(0.5) ? Health.REFUSING : Health.SILENT, false);
    world.after(
        gone,
        () -> {
          central.failover(lag, step);
          if (everything) {
            registry.lose();
          }
          central.become(Health.UP, false);
        });
  }

  private void crash() {
    int place = cluster.crashOne();
    world.after(
        world.between(World.millis(100), World.millis(6_000)), () -> cluster.startAt(place));
  }

  private void stop() {
    int place = cluster.stopOne();
    world.after(
        world.between(World.millis(600), World.millis(6_000)), () -> cluster.startAt(place));
  }

  private void partition() {
    List<Line> all = cluster.lines();
    Line line = all.get(world.random().nextInt(all.size()));
    line.state = world.chance(0.5) ? Health.SILENT : Health.REFUSING;
    world.tell(() -> "! line " + all.indexOf(line) + " is cut: " + line.state);
    world.count(Happening.CUT_LINE);
    world.after(
        world.between(World.millis(100), World.millis(6_000)),
        () -> {
          world.tell(() -> "! line " + all.indexOf(line) + " is whole");
          line.state = Health.UP;
        });
  }

  /**
   * By milliseconds, by about a window, or by more than most counters wait for; or in an outage.
   */
  private void jump() {
    long steps = world.random().nextLong(-90, 90);
    long micros = steps * JUMPS_MICROS[world.random().nextInt(JUMPS_MICROS.length)];
    if (world.chance(0.5)) {
      outage(world.between(World.millis(1_000), World.millis(4_000)));
      world.after(World.millis(900), () -> cluster.jumpOne(micros));
    } else {
      cluster.jumpOne(micros);
    }
  }

  /** Everything works from now on. */
  void heal() {
    world.tell(() -> "! everything is mended");
    cluster.lines().forEach(Faults::mend);
    central.become(Health.UP, true);
    cluster.resumeAll();
  }

  private static void mend(Line line) {
    line.losesRequests = 0;
    line.losesReplies = 0;
    line.slowNanos = 0;
    line.stalls = 0;
    line.state = Health.UP;
  }
}
