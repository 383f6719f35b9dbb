package dev.weir.simulation.bugs;

import static dev.weir.simulation.bugs.PlantedBug.inModeRouting;

import dev.weir.Decision;
import dev.weir.async.Scheduler;
import dev.weir.shared.fleet.Roster;
import dev.weir.simulation.audit.Invariant;
import dev.weir.simulation.fleet.InjectionPoints;
import dev.weir.simulation.world.World;
import dev.weir.time.Ticker;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** Bugs in clocks, and in how long a server caches what it knows. */
final class ClockBugs {
  private static final InjectionPoints SLOW_STORE =
      new InjectionPoints() {
        @Override
        public Ticker storeClock(Ticker own, Supplier<Ticker> caller) {
          long start = own.micros();
          return () -> start + (own.micros() - start) / 2;
        }
      };

  static final List<PlantedBug> ALL =
      List.of(
          new PlantedBug(
              "counts by the clock of the caller",
              Invariant.STRICT,
              "more than",
              new InjectionPoints() {
                @Override
                public Ticker storeClock(Ticker own, Supplier<Ticker> caller) {
                  return () -> caller.get().micros();
                }
              }),
          new PlantedBug(
              "counts by a slow clock", Invariant.POLITE, "for which there is room", SLOW_STORE),
          new PlantedBug(
              "counts by a slow clock, as a retry sees it",
              Invariant.RETRY,
              "came back",
              SLOW_STORE),
          inModeRouting(
              "caches a denial for its whole wait",
              Invariant.RETRY,
              "out of date",
              (store, scheduler) -> new DenialCachingStore(store, scheduler, Duration.ofHours(1))),
          inModeRouting(
              "caches a denial despite a refund",
              Invariant.RETRY,
              "out of date",
              (store, scheduler) ->
                  new DenialCachingStore(store, scheduler, Duration.ofSeconds(1))),
          inModeRouting(
              "states the original wait of a cached denial",
              Invariant.RETRY,
              "states a wait of",
              (store, scheduler) ->
                  new DenialCachingStore(store, scheduler, Duration.ofSeconds(1)) {
                    @Override
                    Decision age(Decision decision, long micros) {
                      return decision;
                    }
                  }),
          new PlantedBug(
              "measures elapsed time by the wall clock",
              Invariant.RETRY,
              "out of date",
              new InjectionPoints() {
                @Override
                public Scheduler scheduler(Scheduler scheduler, Ticker wallClock) {
                  long start = wallClock.micros() - scheduler.nanos() / 1_000;
                  // The seconds by which the clock was set, without its drift.
                  LongSupplier setSeconds =
                      () -> (wallClock.micros() - scheduler.nanos() / 1_000 - start) / 1_000_000;
                  return BrokenParts.scheduler(
                      () -> scheduler.nanos() + setSeconds.getAsLong() * 1_000_000_000,
                      scheduler::schedule);
                }
              }),
          new PlantedBug(
              "does not notice that it was paused",
              Invariant.LEASED,
              "where it may hold 0",
              new InjectionPoints() {
                @Override
                public Scheduler scheduler(Scheduler scheduler, Ticker wallClock) {
                  return BrokenParts.scheduler(new WithoutGaps(scheduler), scheduler::schedule);
                }
              }),
          new PlantedBug(
              "ages pending charges by a monotonic clock",
              Invariant.ONCE,
              "pending",
              new InjectionPoints() {
                @Override
                public Ticker pendingChargeClock(Ticker wallClock, Scheduler scheduler) {
                  long start = wallClock.micros() - scheduler.nanos() / 1_000;
                  return () -> start + scheduler.nanos() / 1_000;
                }
              }),
          new PlantedBug(
              "drops pending charges when its clock is set back",
              Invariant.BOOKS,
              "never charged",
              new InjectionPoints() {
                @Override
                public Ticker pendingChargeClock(Ticker wallClock, Scheduler scheduler) {
                  AtomicLong latest = new AtomicLong(Long.MIN_VALUE);
                  return () -> {
                    long now = wallClock.micros();
                    boolean back = now < latest.getAndAccumulate(now, Math::max);
                    return back ? now + Duration.ofDays(1).toMillis() * 1_000 : now;
                  };
                }
              }),
          new PlantedBug(
              "ages pending charges by a fast clock",
              Invariant.BOOKS,
              "pending",
              new InjectionPoints() {
                @Override
                public Ticker pendingChargeClock(Ticker wallClock, Scheduler scheduler) {
                  long start = wallClock.micros();
                  return () -> wallClock.micros() + (wallClock.micros() - start);
                }
              }),
          new PlantedBug(
              "does not learn that the store lost its data",
              Invariant.BOOKS,
              "local usage",
              new InjectionPoints() {
                @Override
                public Roster roster(Roster roster) {
                  return BrokenParts.changedRoll(
                      roster, (self, roll) -> BrokenParts.sameMemory(roll));
                }
              }));

  /** A clock that leaves out each gap of more than a second between two readings. */
  private static final class WithoutGaps implements LongSupplier {
    private static final long MAX_GAP_NANOS = World.millis(1_000);

    private final Scheduler scheduler;
    private long readNanos;
    private long missed;

    WithoutGaps(Scheduler scheduler) {
      this.scheduler = scheduler;
      this.readNanos = scheduler.nanos();
    }

    @Override
    public long getAsLong() {
      long now = scheduler.nanos();
      missed += now - readNanos > MAX_GAP_NANOS ? now - readNanos : 0;
      readNanos = now;
      return now - missed;
    }
  }

  private ClockBugs() {}
}
