package dev.weir.simulation.bugs;

import static dev.weir.simulation.bugs.PlantedBug.inGuard;
import static dev.weir.simulation.bugs.PlantedBug.inLink;
import static dev.weir.simulation.bugs.PlantedBug.inPendingCharges;

import dev.weir.Answer;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Decision.Basis;
import dev.weir.Decision.Verdict;
import dev.weir.StoreFailure;
import dev.weir.StoreFailure.Effect;
import dev.weir.async.Scheduler;
import dev.weir.shared.fleet.Roster;
import dev.weir.simulation.audit.Invariant;
import dev.weir.simulation.exchange.ForwardingStore;
import dev.weir.simulation.fleet.InjectionPoints;
import dev.weir.time.Ticker;
import java.time.Duration;
import java.util.List;

/** Bugs in what a server does while the store does not answer, and afterwards. */
final class OutageBugs {
  static final List<PlantedBug> ALL =
      List.of(
          new PlantedBug(
              "waits forever",
              Invariant.DEADLINE,
              "took",
              new InjectionPoints() {
                @Override
                public Scheduler scheduler(Scheduler scheduler, Ticker wallClock) {
                  return BrokenParts.scheduler(
                      scheduler::nanos,
                      (nanos, work) -> {
                        // Only deadlines are as short as this.
                        if (nanos > Duration.ofMillis(50).toNanos()) {
                          scheduler.schedule(nanos, work);
                        }
                      });
                }
              }),
          inGuard(
              "fails at once",
              Invariant.POLITE,
              "no answer",
              store ->
                  new ForwardingStore(store) {
                    @Override
                    public Answer take(List<Claim> claims) {
                      return Answer.failed(new StoreFailure(Effect.NONE, "not called", null));
                    }
                  }),
          inLink(
              "never calls the store again",
              Invariant.BOOKS,
              "though it is back",
              BrokenStores::failingForever),
          inPendingCharges(
              "drops pending charges",
              Invariant.BOOKS,
              "never charged",
              (store, claims) -> store.peek(claims)),
          inLink(
              "charges half of what is pending",
              Invariant.BOOKS,
              "of which the store has",
              store ->
                  BrokenStores.charging(
                      store,
                      (other, claims) ->
                          other.charge(claims.stream().map(BrokenParts::half).toList()))),
          inPendingCharges(
              "treats an unanswered charge as settled",
              Invariant.BOOKS,
              "settled",
              (store, claims) ->
                  Answer.later(
                      store
                          .charge(claims)
                          .stage()
                          .exceptionally(failure -> Decision.of(Verdict.ALLOWED, 0, 0, 0)))),
          inPendingCharges(
              "charges half, except for fixed windows",
              Invariant.BOOKS,
              "charges",
              (store, claims) ->
                  store.charge(claims.stream().map(BrokenParts::halfUnlessFixedWindow).toList())),
          inPendingCharges(
              "charges fixed windows only",
              Invariant.BOOKS,
              "never charged",
              (store, claims) ->
                  store.charge(claims.stream().filter(BrokenParts::isFixedWindow).toList())),
          inPendingCharges(
              "charges twice",
              Invariant.ONCE,
              "charges",
              (store, claims) -> {
                var unused = store.charge(claims);
                return store.charge(claims);
              }),
          inGuard(
              "allows requests without an answer",
              Invariant.OUTAGE,
              "though the store answered",
              store -> BrokenStores.allowingUnanswered(store, Basis.UNCOUNTED)),
          new PlantedBug(
              "fallback ignores the other servers",
              Invariant.OUTAGE,
              "in fallback mode granted",
              new InjectionPoints() {
                @Override
                public Roster roster(Roster roster) {
                  return BrokenParts.changedRoll(roster, BrokenParts::onlyItself);
                }
              }));

  private OutageBugs() {}
}
