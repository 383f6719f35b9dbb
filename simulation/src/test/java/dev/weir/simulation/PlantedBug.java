package dev.weir.simulation;

import dev.weir.Answer;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Decision.Basis;
import dev.weir.Decision.Verdict;
import dev.weir.Store;
import dev.weir.Ticker;
import dev.weir.guard.Roster;
import dev.weir.guard.Timers;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * A bug that a limiter might have, put in where its parts meet.
 *
 * @param broken the promise that it breaks
 */
record PlantedBug(String what, Invariant broken, Seams seams) {
  static final List<PlantedBug> ALL =
      List.of(
          new PlantedBug(
              "counts by the clock of who asks",
              Invariant.STRICT,
              new Seams() {
                @Override
                Ticker storeClock(Ticker own, Supplier<Ticker> asking) {
                  return () -> asking.get().micros();
                }
              }),
          inGuarded(
              "lets pass what the store denied",
              Invariant.STRICT,
              store -> Broken.answering(store, Broken::allowed)),
          inGuarded(
              "leases without paying",
              Invariant.LEASED,
              store ->
                  new Broken.Leasing(store) {
                    @Override
                    Answer refill(List<Claim> claims) {
                      return Decision.of(Verdict.ALLOWED, 1_000_000, 0, 1_000_000);
                    }
                  }),
          new PlantedBug(
              "leases as if alone",
              Invariant.LEASED,
              new Seams() {
                @Override
                Roster roster(Roster roster) {
                  return Broken.alone(roster);
                }
              }),
          new PlantedBug(
              "counts by a slow clock",
              Invariant.POLITE,
              new Seams() {
                @Override
                Ticker storeClock(Ticker own, Supplier<Ticker> asking) {
                  long began = own.micros();
                  return () -> began + (own.micros() - began) / 2;
                }
              }),
          inLink(
              "never gives back",
              Invariant.POLITE,
              store ->
                  new Broken.Leasing(store) {
                    @Override
                    Answer giveBack(List<Claim> claims) {
                      return Decision.of(Verdict.ALLOWED, 1_000_000, 0, 0);
                    }
                  }),
          new PlantedBug(
              "waits for ever",
              Invariant.DEADLINE,
              new Seams() {
                @Override
                Timers timers(Timers timers) {
                  return new Timers() {
                    @Override
                    public long nanos() {
                      return timers.nanos();
                    }

                    @Override
                    public void after(long nanos, Runnable work) {
                      // As short as this is only a deadline.
                      if (nanos > Duration.ofMillis(50).toNanos()) {
                        timers.after(nanos, work);
                      }
                    }
                  };
                }
              }),
          inSettling(
              "forgets what is owed",
              Invariant.BOOKS,
              store -> Broken.charging(store, (other, claims) -> other.look(claims))),
          inLink(
              "charges half of what is owed",
              Invariant.BOOKS,
              store ->
                  Broken.charging(
                      store,
                      (other, claims) -> other.charge(claims.stream().map(Broken::half).toList()))),
          inSettling(
              "settles half of what flows",
              Invariant.BOOKS,
              store ->
                  Broken.charging(
                      store,
                      (other, claims) -> other.charge(claims.stream().map(Broken::less).toList()))),
          inSettling(
              "settles windows only",
              Invariant.BOOKS,
              store ->
                  Broken.charging(
                      store,
                      (other, claims) ->
                          other.charge(claims.stream().filter(Broken::isOfWindow).toList()))),
          inLink(
              "tells half of the wait",
              Invariant.RETRY,
              store -> Broken.answering(store, Broken::impatient)),
          inLink(
              "tells twice the wait",
              Invariant.RETRY,
              store -> Broken.answering(store, Broken::timid)),
          inLink(
              "asks again without an answer",
              Invariant.ONCE,
              store ->
                  new Forwarding(store) {
                    @Override
                    public Answer take(List<Claim> claims) {
                      return Answer.later(
                          super.take(claims)
                              .stage()
                              .exceptionallyCompose(failure -> super.take(claims).stage()));
                    }
                  }),
          inGuarded(
              "gives back twice",
              Invariant.ONCE,
              store ->
                  new Forwarding(store) {
                    @Override
                    public Answer refund(List<Claim> claims) {
                      var unused = super.refund(claims);
                      return super.refund(claims);
                    }
                  }),
          inSettling(
              "settles twice",
              Invariant.ONCE,
              store ->
                  Broken.charging(
                      store,
                      (other, claims) -> {
                        var unused = other.charge(claims);
                        return other.charge(claims);
                      })),
          inGuarded(
              "opens the gates",
              Invariant.OUTAGE,
              store ->
                  new Forwarding(store) {
                    @Override
                    public Answer take(List<Claim> claims) {
                      Decision free = Decision.allowed(1, 0, Basis.UNCOUNTED);
                      List<Decision> each = claims.stream().map(one -> free).toList();
                      return Answer.later(
                          super.take(claims).stage().exceptionally(failure -> Decision.of(each)));
                    }
                  }),
          new PlantedBug(
              "stands in as if alone",
              Invariant.OUTAGE,
              new Seams() {
                @Override
                Roster roster(Roster roster) {
                  return Broken.alone(roster);
                }
              }));

  private static PlantedBug inLink(String what, Invariant broken, UnaryOperator<Store> change) {
    return new PlantedBug(
        what,
        broken,
        new Seams() {
          @Override
          Store link(Store link) {
            return change.apply(link);
          }
        });
  }

  private static PlantedBug inGuarded(String what, Invariant broken, UnaryOperator<Store> change) {
    return new PlantedBug(
        what,
        broken,
        new Seams() {
          @Override
          Store guarded(Store guarded) {
            return change.apply(guarded);
          }
        });
  }

  private static PlantedBug inSettling(String what, Invariant broken, UnaryOperator<Store> change) {
    return new PlantedBug(
        what,
        broken,
        new Seams() {
          @Override
          Store settling(Store store) {
            return change.apply(store);
          }
        });
  }

  @Override
  public String toString() {
    return what;
  }
}
