package dev.weir.simulation;

import static dev.weir.simulation.PlantedBug.inGuarded;
import static dev.weir.simulation.PlantedBug.inLink;
import static dev.weir.simulation.PlantedBug.inSettling;

import dev.weir.Answer;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Decision.Basis;
import dev.weir.Decision.Verdict;
import dev.weir.StoreFailure;
import dev.weir.StoreFailure.Effect;
import dev.weir.Ticker;
import dev.weir.guard.Roster;
import dev.weir.guard.Timers;
import java.time.Duration;
import java.util.List;

/** Bugs in what is done while the store does not answer, and after it. */
final class FailingBugs {
  static final List<PlantedBug> ALL =
      List.of(
          new PlantedBug(
              "waits for ever",
              Invariant.DEADLINE,
              "took",
              new Seams() {
                @Override
                Timers timers(Timers timers, Ticker wall) {
                  return Broken.timers(
                      timers::nanos,
                      (nanos, work) -> {
                        // As short as this is only a deadline.
                        if (nanos > Duration.ofMillis(50).toNanos()) {
                          timers.after(nanos, work);
                        }
                      });
                }
              }),
          inGuarded(
              "fails at once",
              Invariant.POLITE,
              "no answer",
              store ->
                  new Forwarding(store) {
                    @Override
                    public Answer take(List<Claim> claims) {
                      return Answer.failed(new StoreFailure(Effect.NONE, "not asked", null));
                    }
                  }),
          inLink(
              "never asks again", Invariant.BOOKS, "though it is back", BrokenStores::losingHeart),
          inSettling(
              "forgets what is owed",
              Invariant.BOOKS,
              "never charged",
              (store, claims) -> store.look(claims)),
          inLink(
              "charges half of what is owed",
              Invariant.BOOKS,
              "of which the store has",
              store ->
                  BrokenStores.charging(
                      store,
                      (other, claims) -> other.charge(claims.stream().map(Broken::half).toList()))),
          inSettling(
              "takes no answer for settled",
              Invariant.BOOKS,
              "settled",
              (store, claims) ->
                  Answer.later(
                      store
                          .charge(claims)
                          .stage()
                          .exceptionally(failure -> Decision.of(Verdict.ALLOWED, 0, 0, 0)))),
          inSettling(
              "settles half of what flows",
              Invariant.BOOKS,
              "charges",
              (store, claims) -> store.charge(claims.stream().map(Broken::less).toList())),
          inSettling(
              "settles windows only",
              Invariant.BOOKS,
              "never charged",
              (store, claims) -> store.charge(claims.stream().filter(Broken::isOfWindow).toList())),
          inSettling(
              "settles twice",
              Invariant.ONCE,
              "charges",
              (store, claims) -> {
                var unused = store.charge(claims);
                return store.charge(claims);
              }),
          inGuarded(
              "opens the gates",
              Invariant.OUTAGE,
              "though the store answered",
              store -> BrokenStores.unanswered(store, Basis.UNCOUNTED)),
          new PlantedBug(
              "stands in as if alone",
              Invariant.OUTAGE,
              "alone let pass",
              new Seams() {
                @Override
                Roster roster(Roster roster) {
                  return Broken.hearing(roster, Broken::alone);
                }
              }));

  private FailingBugs() {}
}
