package dev.weir.simulation;

import dev.weir.Answer;
import dev.weir.Claim;
import dev.weir.Store;
import dev.weir.guard.Fleet;
import dev.weir.guard.Places;
import dev.weir.guard.Roster.Roll;
import dev.weir.guard.Standby;
import dev.weir.guard.Timers;
import dev.weir.guard.Upkeep;
import dev.weir.lease.ByMode;
import dev.weir.memory.MemoryStore;
import dev.weir.rule.Limiter;
import dev.weir.rule.Match;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A server: the real limiter, on a clock, timers and a network that are not. */
final class Node {
  private static final long MAX_KEYS = 4_000;

  /** So late may a timer be. */
  private static final long LATE_NANOS = World.millis(2);

  /** After so long nothing is left of leases that a store has forgotten, nor on its way. */
  private static final long NOTICED_NANOS = World.millis(200);

  final String name;
  final Line line;
  final Wall wall;
  final Standby standby;
  final ByMode byMode;
  final Limiter limiter;
  private final Function<Match, Answer> front;
  final Census census;
  final Pause pause;
  final Map<Account, Holding> holdings = new LinkedHashMap<>();

  private final World world;
  private final Audit audit;
  private final Fleet fleet;
  private final Upkeep upkeep;
  private boolean alive = true;
  private boolean stopping;

  /** Whether it hears at this very moment that the store has forgotten everything. */
  private boolean hearsOfLoss;

  Node(String name, Line line, Wall wall, World world, Plan plan, Central central, Hub hub) {
    this.name = name;
    this.line = line;
    this.wall = wall;
    this.world = world;
    this.audit = hub.audit();
    this.pause = new Pause(world);
    Seams seams = hub.seams();
    Timers timers = seams.timers(timers(), wall);
    Store link = seams.link(new Link(world, central, hub.ledger(), this, plan.linkTimeoutNanos()));
    this.fleet = new Fleet(name, seams.roster(hub.registry().through(this)), timers);
    this.census = new Census(world, audit::held, fleet::place);
    MemoryStore local = new MemoryStore(MAX_KEYS, wall);
    this.standby = new Standby(local, fleet, seams.debtClock(wall, timers));
    Store settling = seams.settling(new Asked(link, this, audit));
    Store shared =
        new Forwarding(link) {
          @Override
          public Answer charge(List<Claim> claims) {
            // Not a sign of life.
            return audit.knows(claims.get(0)) ? settling.charge(claims) : super.charge(claims);
          }
        };
    this.upkeep =
        new Upkeep(shared, Places.ONE, plan.guard(), timers, fleet, standby, new Teller());
    Store asked = seams.guarded(new Asked(upkeep.guarded(), this, audit));
    this.byMode = new ByMode(asked, local, fleet, timers);
    Store modes = hub.verdicts().heardBy(seams.modes(byMode, timers));
    this.limiter = new Limiter(modes, standby, (rule, outcome) -> {});
    this.front = seams.front(limiter::take);
  }

  /** What servers have in common. */
  record Hub(Audit audit, Ledger ledger, Verdicts verdicts, Registry registry, Seams seams) {}

  private Timers timers() {
    // Nobody knows when the time of a process began.
    long origin = world.random().nextLong(-1_000_000_000_000L, 1_000_000_000_000L);
    return new Timers() {
      @Override
      public long nanos() {
        return origin + world.nanos();
      }

      @Override
      public void after(long nanos, Runnable work) {
        long late = world.between(0, LATE_NANOS);
        later(Math.max(0, nanos) + late, work);
      }
    };
  }

  void start() {
    upkeep.start();
  }

  private void later(long nanos, Runnable work) {
    world.after(nanos, () -> run(work));
  }

  /** Something is due in it, or has come: if it is gone, for nobody. */
  void run(Runnable work) {
    pause.run(
        () -> {
          if (alive) {
            work.run();
          }
        });
  }

  /** Tells of the store's comings and goings. */
  private final class Teller implements Upkeep.Watcher {
    @Override
    public void told(@Nullable Throwable failure) {}

    @Override
    public void lost(String place, Throwable failure) {
      world.tell(() -> "! " + Node.this + " asks no more: " + failure.getMessage());
      world.count(Happening.BREAKER_OPENED);
    }

    @Override
    public void found() {
      world.tell(() -> "! " + Node.this + " asks again");
    }

    @Override
    public void listed() {}

    @Override
    public void unlisted(Throwable failure) {
      world.tell(() -> "! " + Node.this + " has no list: " + failure.getMessage());
    }
  }

  /** The true list of servers has reached it; what it does about that is done when this ends. */
  void told(Roll roll, long listedNanos, Runnable hear) {
    int rank = roll.servers().indexOf(name);
    if (census.told(rank, roll.servers(), roll.memory(), listedNanos)) {
      hearsOfLoss = true;
      audit.lending.forgot(this);
      later(NOTICED_NANOS, () -> audit.lending.forgot(this));
    }
    hear.run();
    hearsOfLoss = false;
  }

  /** Whether the store must be told all that it knows of those who owe. */
  boolean tellsAll() {
    return hearsOfLoss;
  }

  /** A client asks. */
  Answer take(Match match) {
    return front.apply(match);
  }

  Holding holding(Account account) {
    return holdings.computeIfAbsent(account, Holding::new);
  }

  boolean isAlive() {
    return alive;
  }

  /** Whether it asks the store. */
  boolean isAsking() {
    return upkeep.guarded().isAsked();
  }

  /** Whether clients are sent to it. */
  boolean isServing() {
    return alive && !stopping;
  }

  /** It dies, with all that it knew. */
  void crash() {
    alive = false;
  }

  /** It gives back what it leased, and says goodbye. */
  CompletableFuture<Void> stop() {
    stopping = true;
    var unused = upkeep.stop();
    unused = fleet.leave();
    return byMode.close().toCompletableFuture();
  }

  @Override
  public String toString() {
    return name;
  }
}
