package dev.weir.simulation.fleet;

import dev.weir.Answer;
import dev.weir.Claim;
import dev.weir.Store;
import dev.weir.async.Scheduler;
import dev.weir.limiter.Limiter;
import dev.weir.memory.MemoryStore;
import dev.weir.rule.book.Match;
import dev.weir.shared.SharedStore;
import dev.weir.shared.SharedStoreListener;
import dev.weir.shared.fallback.LocalFallback;
import dev.weir.shared.fleet.Roster.Roll;
import dev.weir.shared.lease.ModeRoutingStore.Counts;
import dev.weir.simulation.audit.Audit;
import dev.weir.simulation.audit.DecisionCheck;
import dev.weir.simulation.audit.MessageLedger;
import dev.weir.simulation.audit.RecordingStore;
import dev.weir.simulation.exchange.AuditedServer;
import dev.weir.simulation.exchange.ForwardingStore;
import dev.weir.simulation.model.FleetModel;
import dev.weir.simulation.plan.Plan;
import dev.weir.simulation.world.EventType;
import dev.weir.simulation.world.WallClock;
import dev.weir.simulation.world.World;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** A server: the real limiter on a simulated clock, simulated timers and a simulated network. */
public final class SimulatedServer implements AuditedServer {
  private static final long MAX_KEYS = 4_000;

  /** How late a timer may fire. */
  private static final long MAX_TIMER_DELAY_NANOS = World.millis(2);

  /**
   * After this time no leases are left, or on their way, from a store that has lost all its data.
   */
  private static final long DATA_LOSS_NOTICED_NANOS = World.millis(200);

  private final String name;
  final NetworkLink link;
  private final WallClock wallClock;
  private final SharedStore store;
  private final Limiter limiter;
  private final Function<Match, Answer> entryPoint;
  private final FleetModel fleetModel;
  final ProcessPause pause;

  private final World world;
  private final Audit audit;
  private boolean alive = true;
  private boolean stopping;

  /** Whether it learns at this very moment that the store has lost all its data. */
  private boolean learningOfDataLoss;

  SimulatedServer(
      String name,
      NetworkLink link,
      WallClock wallClock,
      World world,
      Plan plan,
      CentralStore central,
      Environment environment) {
    this.name = name;
    this.link = link;
    this.wallClock = wallClock;
    this.world = world;
    this.audit = environment.audit();
    this.pause = new ProcessPause(world);
    InjectionPoints points = environment.points();
    Scheduler scheduler = points.scheduler(scheduler(), wallClock);
    Store remote =
        points.link(
            new RemoteStore(world, central, environment.ledger(), this, plan.linkTimeoutNanos()));
    Store pendingCharges = points.pendingCharges(new RecordingStore(remote, this, audit));
    Store shared =
        new ForwardingStore(remote) {
          @Override
          public Answer charge(List<Claim> claims) {
            boolean healthProbe = !audit.isAudited(claims.get(0));
            return healthProbe ? super.charge(claims) : pendingCharges.charge(claims);
          }
        };
    this.store =
        SharedStore.around(shared)
            .server(name)
            .roster(points.roster(environment.roster().seenBy(this)))
            .guard(plan.guard())
            .scheduler(scheduler)
            .fallback(new MemoryStore(MAX_KEYS, wallClock))
            .ticker(points.pendingChargeClock(wallClock, scheduler))
            .listener(new StoreEvents())
            .decorateGuarded(guarded -> points.guard(new RecordingStore(guarded, this, audit)))
            .build();
    this.fleetModel = new FleetModel(world, audit::updateMaxHeld, store.fleet()::position);
    Store asked =
        environment.decisionCheck().recordingFailures(points.modeRouting(store, scheduler));
    this.limiter = new Limiter(asked, store.fallback(), (rule, outcome, subject) -> {});
    this.entryPoint = points.entryPoint(limiter::take);
  }

  /** What all servers share. */
  public record Environment(
      Audit audit,
      MessageLedger ledger,
      DecisionCheck decisionCheck,
      RosterService roster,
      InjectionPoints points) {}

  private Scheduler scheduler() {
    // The origin of a process's monotonic time is arbitrary.
    long origin = world.random().nextLong(-1_000_000_000_000L, 1_000_000_000_000L);
    return new Scheduler() {
      @Override
      public long nanos() {
        return origin + world.nanos();
      }

      @Override
      public void schedule(long nanos, Runnable work) {
        long late = world.between(0, MAX_TIMER_DELAY_NANOS);
        runLater(Math.max(0, nanos) + late, work);
      }
    };
  }

  void start() {
    store.start();
  }

  private void runLater(long nanos, Runnable work) {
    world.after(nanos, () -> run(work));
  }

  /** Does work in the process: now, after its pause, or never if the process is dead. */
  public void run(Runnable work) {
    pause.run(
        () -> {
          if (alive) {
            work.run();
          }
        });
  }

  /** Logs when the circuit breaker opens and closes. */
  private final class StoreEvents implements SharedStoreListener {
    @Override
    public void onLost(String shard, Throwable failure) {
      world.log(
          () ->
              "! " + SimulatedServer.this + " opens its circuit breaker: " + failure.getMessage());
      world.count(EventType.BREAKER_OPENED);
    }

    @Override
    public void onRecovered() {
      world.log(() -> "! " + SimulatedServer.this + " closes its circuit breaker");
    }

    @Override
    public void onRosterLost(Throwable failure) {
      world.log(
          () -> "! " + SimulatedServer.this + " cannot reach the roster: " + failure.getMessage());
    }
  }

  /** Records the true roster that has reached the server, and lets the server process it. */
  void onRoll(Roll roll, long listedNanos, Runnable process) {
    int rank = roll.servers().indexOf(name);
    if (fleetModel.onRoll(rank, roll.servers(), roll.memory(), listedNanos)) {
      learningOfDataLoss = true;
      audit.onStoreDataLost(this);
      runLater(DATA_LOSS_NOTICED_NANOS, () -> audit.onStoreDataLost(this));
    }
    process.run();
    learningOfDataLoss = false;
  }

  @Override
  public boolean isLearningOfDataLoss() {
    return learningOfDataLoss;
  }

  /** Decides a client's request. */
  public Answer take(Match match) {
    return entryPoint.apply(match);
  }

  /** Releases the concurrency permits of a request. */
  public void release(List<Claim> claims) {
    var unused = limiter.release(claims);
  }

  /** Refunds the permits of a request. */
  public Answer refund(List<Claim> claims) {
    return limiter.store().refund(claims);
  }

  @Override
  public WallClock wallClock() {
    return wallClock;
  }

  @Override
  public FleetModel fleetModel() {
    return fleetModel;
  }

  @Override
  public LocalFallback fallback() {
    return store.fallback();
  }

  @Override
  public Counts leaseCounts() {
    return store.leaseCounts();
  }

  @Override
  public boolean isPaused() {
    return pause.isPaused();
  }

  @Override
  public long pausedNanos() {
    return pause.nanos();
  }

  @Override
  public boolean isAlive() {
    return alive;
  }

  @Override
  public boolean callsStore() {
    return store.isCircuitClosed();
  }

  @Override
  public boolean isServing() {
    return alive && !stopping;
  }

  /** Kills the process, with all its state. */
  void crash() {
    alive = false;
  }

  /** Returns all leases and leaves the roster. */
  CompletableFuture<Void> stop() {
    stopping = true;
    return store.stop();
  }

  @Override
  public String toString() {
    return name;
  }
}
