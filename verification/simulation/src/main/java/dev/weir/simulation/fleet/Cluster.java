package dev.weir.simulation.fleet;

import dev.weir.simulation.audit.BalanceCheck;
import dev.weir.simulation.plan.Plan;
import dev.weir.simulation.world.EventType;
import dev.weir.simulation.world.WallClock;
import dev.weir.simulation.world.World;
import java.util.ArrayList;
import java.util.List;

/** The servers in their slots. A slot has a link and a clock, and at most one server at a time. */
public final class Cluster {
  /** How long a server that stops may take to return its leases. */
  private static final long STOPPING_NANOS = World.millis(500);

  private final World world;
  private final Plan plan;
  private final CentralStore central;
  private final SimulatedServer.Environment environment;
  private final List<NetworkLink> links = new ArrayList<>();
  private final List<WallClock> wallClocks = new ArrayList<>();
  private final List<SimulatedServer> servers = new ArrayList<>();
  private final List<SimulatedServer> started = new ArrayList<>();

  /** Starts the servers of the plan; {@code clock} is the clock of the store. */
  public Cluster(
      World world,
      Plan plan,
      CentralStore central,
      WallClock clock,
      SimulatedServer.Environment environment) {
    this.world = world;
    this.plan = plan;
    this.central = central;
    this.environment = environment;
    for (int i = 0; i < plan.servers(); i++) {
      links.add(new NetworkLink(world));
      long offset = world.chance(0.3) ? 0 : world.between(-3_000_000, 3_000_000);
      wallClocks.add(new WallClock(world, clock.micros() + offset, world.between(-200, 200)));
      servers.add(start(i));
    }
  }

  private SimulatedServer start(int slot) {
    String name = "n" + slot;
    SimulatedServer server =
        new SimulatedServer(
            name, links.get(slot), wallClocks.get(slot), world, plan, central, environment);
    world.log(() -> "! " + server + " starts");
    started.add(server);
    environment.audit().onServerStarted(server);
    server.start();
    return server;
  }

  /** Starts a server in a slot, unless one runs there. */
  void startAt(int slot) {
    if (!servers.get(slot).isAlive()) {
      world.count(EventType.RESTART);
      servers.set(slot, start(slot));
    }
  }

  List<NetworkLink> links() {
    return links;
  }

  private int randomSlot() {
    return world.random().nextInt(servers.size());
  }

  /** Crashes a random server; returns its slot. */
  int crashOne() {
    int slot = randomSlot();
    if (servers.get(slot).isAlive()) {
      world.count(EventType.CRASH);
      die(servers.get(slot));
    }
    return slot;
  }

  private void die(SimulatedServer server) {
    if (server.isAlive()) {
      world.log(() -> "! " + server + " dies");
      server.crash();
      environment.decisionCheck().onServerDied(server);
      environment.audit().updateMaxHeld();
    }
  }

  /** Stops a random server in order; returns its slot. */
  int stopOne() {
    int slot = randomSlot();
    SimulatedServer server = servers.get(slot);
    if (server.isServing() && !server.isPaused()) {
      world.log(() -> "! " + server + " stops");
      world.count(EventType.STOP);
      var stopped = server.stop();
      world.after(
          STOPPING_NANOS,
          () -> {
            if (server.isAlive() && stopped.isDone()) {
              BalanceCheck.checkLeases(environment.audit(), server);
            }
            die(server);
          });
    }
    return slot;
  }

  /** Pauses a random server; when it resumes, it does everything that was due. */
  void pauseOne(long nanos) {
    SimulatedServer server = servers.get(randomSlot());
    if (server.isServing() && !server.isPaused()) {
      world.log(() -> "! " + server + " is paused");
      world.count(EventType.PAUSE);
      server.pause.begin();
      world.after(nanos, () -> resume(server));
    }
  }

  private void resume(SimulatedServer server) {
    if (server.isPaused()) {
      world.log(() -> "! " + server + " resumes");
      server.pause.end();
      environment.audit().updateMaxHeld();
    }
  }

  void resumeAll() {
    servers.forEach(this::resume);
  }

  /** Sets the clock of a random server. */
  void jumpOne(long micros) {
    int slot = randomSlot();
    // Pending charges refill until now by the old time, and are void if too far ahead of the new
    // one.
    environment.audit().onClockChange(servers.get(slot));
    wallClocks.get(slot).jump(micros);
    environment.audit().onClockChange(servers.get(slot));
    world.count(micros < 0 ? EventType.CLOCK_SET_BACK : EventType.CLOCK_SET_FORWARD);
    world.log(() -> "! clock of " + servers.get(slot) + " jumps by " + micros + " us");
  }

  /** The servers that clients send requests to, in the order in which they were started. */
  public List<SimulatedServer> serving() {
    return started.stream().filter(SimulatedServer::isServing).toList();
  }

  /** The server of each slot, alive or not. */
  public List<SimulatedServer> servers() {
    return servers;
  }
}
