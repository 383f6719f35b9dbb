package dev.weir.simulation;

import static dev.weir.simulation.PlantedBug.inGuarded;
import static dev.weir.simulation.PlantedBug.inLink;
import static dev.weir.simulation.PlantedBug.inStore;

import dev.weir.Answer;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Decision.Basis;
import java.util.List;

/** Bugs in how the store counts, is asked, and is believed. */
final class CountingBugs {
  static final List<PlantedBug> ALL =
      List.of(
          inGuarded(
              "lets pass what the store denied",
              Invariant.STRICT,
              "did not grant",
              store -> BrokenStores.answering(store, Broken::allowed)),
          inGuarded(
              "takes no answer for a grant",
              Invariant.STRICT,
              "did not grant",
              store -> BrokenStores.unanswered(store, Basis.COUNTED)),
          inStore(
              "gives a place to two",
              Invariant.STRICT,
              "at a time",
              store ->
                  new Forwarding(store) {
                    @Override
                    public Answer take(List<Claim> claims) {
                      Decision decision = super.take(claims).join();
                      if (decision.allowed() && Broken.isOfPlaces(claims.get(0))) {
                        var unused = super.refund(claims);
                      }
                      return decision;
                    }
                  }),
          inStore(
              "the store tells half of the wait",
              Invariant.RETRY,
              "the store does not keep to",
              store -> BrokenStores.answering(store, Broken::impatient)),
          inGuarded(
              "denies without asking",
              Invariant.RETRY,
              "as if by the store",
              store -> BrokenStores.denying(store)),
          inGuarded(
              "denies without asking, where nothing goes wrong",
              Invariant.POLITE,
              "as nothing went wrong",
              store -> BrokenStores.denying(store)),
          inLink(
              "tells half of the wait",
              Invariant.RETRY,
              "tells to wait",
              store -> BrokenStores.answering(store, Broken::impatient)),
          inLink(
              "tells twice the wait",
              Invariant.RETRY,
              "tells to wait",
              store -> BrokenStores.answering(store, Broken::timid)),
          inLink(
              "asks again without an answer",
              Invariant.ONCE,
              "sent again",
              store ->
                  new Forwarding(store) {
                    @Override
                    public Answer take(List<Claim> claims) {
                      return Answer.later(
                          super.take(claims)
                              .stage()
                              .exceptionallyCompose(failure -> super.take(claims).stage()));
                    }
                  }));

  private CountingBugs() {}
}
