package dev.weir.simulation.bugs;

import static dev.weir.simulation.bugs.PlantedBug.inGuard;
import static dev.weir.simulation.bugs.PlantedBug.inLink;
import static dev.weir.simulation.bugs.PlantedBug.inStore;

import dev.weir.Answer;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Decision.Basis;
import dev.weir.simulation.audit.Invariant;
import dev.weir.simulation.exchange.ForwardingStore;
import java.util.List;

/** Bugs in how the store counts, how it is called, and how its answers are used. */
final class StoreBugs {
  static final List<PlantedBug> ALL =
      List.of(
          inGuard(
              "allows what the store denied",
              Invariant.STRICT,
              "did not grant",
              store -> BrokenStores.answering(store, BrokenParts::allowed)),
          inGuard(
              "treats no answer as a grant",
              Invariant.STRICT,
              "did not grant",
              store -> BrokenStores.allowingUnanswered(store, Basis.COUNTED)),
          inStore(
              "grants a concurrency permit to two holders",
              Invariant.STRICT,
              "at a time",
              store ->
                  new ForwardingStore(store) {
                    @Override
                    public Answer take(List<Claim> claims) {
                      Decision decision = super.take(claims).join();
                      if (decision.allowed() && BrokenParts.isConcurrency(claims.get(0))) {
                        var unused = super.refund(claims);
                      }
                      return decision;
                    }
                  }),
          inStore(
              "the store states half of the wait",
              Invariant.RETRY,
              "the store states a wrong wait",
              store -> BrokenStores.answering(store, BrokenParts::shortenedWait)),
          inGuard(
              "denies without calling the store",
              Invariant.RETRY,
              "as if by the store",
              store -> BrokenStores.denying(store)),
          inGuard(
              "denies without calling the store, without a fault",
              Invariant.POLITE,
              "without a fault, where at most",
              store -> BrokenStores.denying(store)),
          inLink(
              "states half of the wait",
              Invariant.RETRY,
              "states a wait of",
              store -> BrokenStores.answering(store, BrokenParts::shortenedWait)),
          inLink(
              "states twice the wait",
              Invariant.RETRY,
              "states a wait of",
              store -> BrokenStores.answering(store, BrokenParts::overlongWait)),
          inLink(
              "calls again without an answer",
              Invariant.ONCE,
              "sent again",
              store ->
                  new ForwardingStore(store) {
                    @Override
                    public Answer take(List<Claim> claims) {
                      return Answer.later(
                          super.take(claims)
                              .stage()
                              .exceptionallyCompose(failure -> super.take(claims).stage()));
                    }
                  }));

  private StoreBugs() {}
}
