package dev.weir.simulation.traffic;

import dev.weir.Answer;
import dev.weir.Decision;
import dev.weir.rule.book.Match;
import dev.weir.simulation.audit.Audit;
import dev.weir.simulation.audit.DecisionCheck;
import dev.weir.simulation.exchange.ClientRequest;
import dev.weir.simulation.fleet.Cluster;
import dev.weir.simulation.fleet.SimulatedServer;
import dev.weir.simulation.plan.ClientGroup;
import dev.weir.simulation.plan.Plan;
import dev.weir.simulation.world.World;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Sends the requests of all clients, each group with its own pattern, until the traffic ends. */
public final class ClientTraffic {
  private static final double REFUND_PROBABILITY = 0.05;

  private final World world;
  private final Cluster cluster;
  private final Audit audit;
  private final DecisionCheck decisionCheck;
  private final long untilNanos;
  private final PatientClients patientClients;
  private long lastNumber;

  /** What a client does with a decision, or with a failure. */
  interface DecisionHandler {
    void onDecision(SimulatedServer server, ClientRequest request);
  }

  /** Clients that send until the traffic of the plan ends; none of them started. */
  public ClientTraffic(
      World world, Cluster cluster, Audit audit, DecisionCheck decisionCheck, Plan plan) {
    this.world = world;
    this.cluster = cluster;
    this.audit = audit;
    this.decisionCheck = decisionCheck;
    this.untilNanos = plan.trafficNanos();
    this.patientClients = new PatientClients(world, audit, this);
  }

  /** Starts the clients of a group. */
  public void start(ClientGroup group) {
    for (int i = 0; i < group.clients(); i++) {
      int client = i;
      long intervalNanos = (long) (1e9 / group.load().perSecond());
      Runnable begin =
          switch (group.kind()) {
            case POLITE -> {
              ServerChoice choice = world.chance(0.5) ? this::anyServer : sticky();
              yield () -> polite(group, client, intervalNanos, choice);
            }
            case PATIENT -> () -> patientClients.send(group, client, group.load().cost());
            case GREEDY -> () -> greedy(group, client, intervalNanos);
            case BURSTY -> () -> bursty(group, client, intervalNanos);
            case HOT -> () -> hot(group, client, intervalNanos);
            case CONCURRENT -> () -> concurrent(group, client, intervalNanos);
          };
      world.after(world.between(0, World.millis(1_000)), begin);
    }
  }

  boolean isOver() {
    return world.nanos() >= untilNanos;
  }

  private void polite(ClientGroup group, int client, long intervalNanos, ServerChoice choice) {
    if (!isOver()) {
      send(choice.server(), group, client, group.load().cost(), (server, request) -> {});
      world.after(intervalNanos, () -> polite(group, client, intervalNanos, choice));
    }
  }

  /** Chooses the server for a request; null if there is none. */
  private interface ServerChoice {
    @Nullable SimulatedServer server();
  }

  /** Stays with one server for a while, then changes: the leases of the old server stay unused. */
  private ServerChoice sticky() {
    return new ServerChoice() {
      private @Nullable SimulatedServer preferred;
      private long changeNanos;

      @Override
      public @Nullable SimulatedServer server() {
        if (preferred == null || !preferred.isServing() || world.nanos() >= changeNanos) {
          preferred = anyServer();
          changeNanos = world.nanos() + world.between(World.millis(300), World.millis(2_500));
        }
        return preferred;
      }
    };
  }

  private void greedy(ClientGroup group, int client, long meanNanos) {
    if (!isOver()) {
      send(anyServer(), group, client, group.load().cost(), this::sometimesRefund);
      world.after(exponential(meanNanos), () -> greedy(group, client, meanNanos));
    }
  }

  private void bursty(ClientGroup group, int client, long meanNanos) {
    if (!isOver()) {
      int burst = 5 + world.random().nextInt(40);
      for (int i = 0; i < burst; i++) {
        world.after(
            world.between(0, World.millis(80)),
            () -> send(anyServer(), group, client, group.load().cost(), this::sometimesRefund));
      }
      world.after(burst * meanNanos, () -> bursty(group, client, meanNanos));
    }
  }

  private void hot(ClientGroup group, int client, long intervalNanos) {
    SimulatedServer preferred = anyServer();
    long endNanos = world.nanos() + world.between(World.millis(1_500), World.millis(3_500));
    hot(group, client, intervalNanos, preferred, endNanos);
  }

  private void hot(
      ClientGroup group,
      int client,
      long intervalNanos,
      @Nullable SimulatedServer preferred,
      long endNanos) {
    if (isOver()) {
      return;
    }
    if (world.nanos() > endNanos) {
      world.after(
          world.between(World.millis(500), World.millis(8_000)),
          () -> hot(group, client, intervalNanos));
      return;
    }
    SimulatedServer server = world.chance(0.8) ? preferred : anyServer();
    send(server, group, client, group.load().cost(), this::sometimesRefund);
    world.after(
        exponential(intervalNanos), () -> hot(group, client, intervalNanos, preferred, endNanos));
  }

  private void concurrent(ClientGroup group, int client, long meanNanos) {
    if (isOver()) {
      return;
    }
    send(
        anyServer(),
        group,
        client,
        group.load().cost(),
        (server, request) -> {
          if (request.allowed() && !world.chance(0.05)) {
            world.after(
                world.between(World.millis(5), World.millis(400)),
                () -> server.run(() -> release(server, request)));
          }
        });
    world.after(exponential(meanNanos), () -> concurrent(group, client, meanNanos));
  }

  private void release(SimulatedServer server, ClientRequest request) {
    decisionCheck.onRefund(request);
    server.release(request.match.claims());
  }

  private void sometimesRefund(SimulatedServer server, ClientRequest request) {
    if (request.allowed()
        && request.failure == null
        && request.group.load().refunds()
        && world.chance(REFUND_PROBABILITY)) {
      world.after(
          world.between(World.millis(1), World.millis(50)),
          () -> server.run(() -> refund(server, request)));
    }
  }

  private void refund(SimulatedServer server, ClientRequest request) {
    var unused =
        server
            .refund(request.match.claims())
            .stage()
            .thenRun(() -> decisionCheck.onRefund(request));
  }

  /** A random server that is not paused; if all are paused, one of those. */
  @Nullable SimulatedServer anyServer() {
    List<SimulatedServer> serving = cluster.serving();
    List<SimulatedServer> awake = serving.stream().filter(server -> !server.isPaused()).toList();
    List<SimulatedServer> candidates = awake.isEmpty() ? serving : awake;
    return candidates.isEmpty() ? null : candidates.get(world.random().nextInt(candidates.size()));
  }

  private long exponential(long meanNanos) {
    return (long) (-Math.log(1 - world.random().nextDouble()) * meanNanos);
  }

  /** Sends a request; returns false if the server takes none. */
  boolean send(
      @Nullable SimulatedServer server,
      ClientGroup group,
      int client,
      long cost,
      DecisionHandler handler) {
    if (server == null || !server.isServing()) {
      return false;
    }
    server.run(() -> receive(server, group, client, cost, handler));
    return true;
  }

  private void receive(
      SimulatedServer server, ClientGroup group, int client, long cost, DecisionHandler handler) {
    long number = ++lastNumber;
    Match match = group.match(client, cost, number);
    ClientRequest request = new ClientRequest(number, group, server, match, world.nanos());
    decisionCheck.onRequest(request);
    audit.setCurrentRequest(request);
    Answer answer = server.take(match);
    audit.setCurrentRequest(null);
    if (answer instanceof Decision decision) {
      finish(server, request, decision, null, handler);
    } else {
      var unused =
          answer
              .stage()
              .whenComplete(
                  (decision, thrown) -> finish(server, request, decision, thrown, handler));
    }
  }

  private void finish(
      SimulatedServer server,
      ClientRequest request,
      @Nullable Decision decision,
      @Nullable Throwable thrown,
      DecisionHandler handler) {
    decisionCheck.onDecision(request, decision, thrown);
    // Not on the stack of the server: clients are other processes.
    world.after(0, () -> handler.onDecision(server, request));
  }
}
