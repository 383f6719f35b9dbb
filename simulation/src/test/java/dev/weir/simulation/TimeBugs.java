package dev.weir.simulation;

import static dev.weir.simulation.PlantedBug.inModes;

import dev.weir.Decision;
import dev.weir.Ticker;
import dev.weir.guard.Roster;
import dev.weir.guard.Timers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** Bugs in what is remembered, by which clock, and for how long. */
final class TimeBugs {
  private static final Seams SLOW_STORE =
      new Seams() {
        @Override
        Ticker storeClock(Ticker own, Supplier<Ticker> asking) {
          long began = own.micros();
          return () -> began + (own.micros() - began) / 2;
        }
      };

  static final List<PlantedBug> ALL =
      List.of(
          new PlantedBug(
              "counts by the clock of who asks",
              Invariant.STRICT,
              "more than",
              new Seams() {
                @Override
                Ticker storeClock(Ticker own, Supplier<Ticker> asking) {
                  return () -> asking.get().micros();
                }
              }),
          new PlantedBug(
              "counts by a slow clock", Invariant.POLITE, "for which there is room", SLOW_STORE),
          new PlantedBug(
              "counts by a slow clock, as who comes back sees it",
              Invariant.RETRY,
              "came back",
              SLOW_STORE),
          inModes(
              "remembers a denial for as long as it told",
              Invariant.RETRY,
              "not so any more",
              (store, timers) -> new Remembering(store, timers, Duration.ofHours(1))),
          inModes(
              "remembers a denial though somebody gave back",
              Invariant.RETRY,
              "not so any more",
              (store, timers) -> new Remembering(store, timers, Duration.ofSeconds(1))),
          inModes(
              "tells from memory the wait that was",
              Invariant.RETRY,
              "tells to wait",
              (store, timers) ->
                  new Remembering(store, timers, Duration.ofSeconds(1)) {
                    @Override
                    Decision later(Decision decision, long micros) {
                      return decision;
                    }
                  }),
          new PlantedBug(
              "takes a clock that is set for time that passes",
              Invariant.RETRY,
              "not so any more",
              new Seams() {
                @Override
                Timers timers(Timers timers, Ticker wall) {
                  long began = wall.micros() - timers.nanos() / 1_000;
                  // By how many seconds it was set, without what it is fast or slow.
                  LongSupplier set =
                      () -> (wall.micros() - timers.nanos() / 1_000 - began) / 1_000_000;
                  return Broken.timers(
                      () -> timers.nanos() + set.getAsLong() * 1_000_000_000, timers::after);
                }
              }),
          new PlantedBug(
              "does not notice that it stood still",
              Invariant.LEASED,
              "where it may hold 0",
              new Seams() {
                @Override
                Timers timers(Timers timers, Ticker wall) {
                  return Broken.timers(new WithoutGaps(timers), timers::after);
                }
              }),
          new PlantedBug(
              "ages debts by a clock that nobody sets",
              Invariant.ONCE,
              "owes",
              new Seams() {
                @Override
                Ticker debtClock(Ticker wall, Timers timers) {
                  long began = wall.micros() - timers.nanos() / 1_000;
                  return () -> began + timers.nanos() / 1_000;
                }
              }),
          new PlantedBug(
              "lets go of debts when its clock is set back",
              Invariant.BOOKS,
              "never charged",
              new Seams() {
                @Override
                Ticker debtClock(Ticker wall, Timers timers) {
                  AtomicLong latest = new AtomicLong(Long.MIN_VALUE);
                  return () -> {
                    long now = wall.micros();
                    boolean back = now < latest.getAndAccumulate(now, Math::max);
                    return back ? now + Duration.ofDays(1).toMillis() * 1_000 : now;
                  };
                }
              }),
          new PlantedBug(
              "ages debts by a fast clock",
              Invariant.BOOKS,
              "owes",
              new Seams() {
                @Override
                Ticker debtClock(Ticker wall, Timers timers) {
                  long began = wall.micros();
                  return () -> wall.micros() + (wall.micros() - began);
                }
              }),
          new PlantedBug(
              "does not hear that the store forgot",
              Invariant.BOOKS,
              "knows of",
              new Seams() {
                @Override
                Roster roster(Roster roster) {
                  return Broken.hearing(roster, (self, roll) -> Broken.sameMemory(roll));
                }
              }));

  /** A clock that leaves out each time in which nobody looked at it for more than a second. */
  private static final class WithoutGaps implements LongSupplier {
    private static final long LONG_NANOS = World.millis(1_000);

    private final Timers timers;
    private long lookedNanos;
    private long missed;

    WithoutGaps(Timers timers) {
      this.timers = timers;
      this.lookedNanos = timers.nanos();
    }

    @Override
    public long getAsLong() {
      long now = timers.nanos();
      missed += now - lookedNanos > LONG_NANOS ? now - lookedNanos : 0;
      lookedNanos = now;
      return now - missed;
    }
  }

  private TimeBugs() {}
}
