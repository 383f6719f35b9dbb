package dev.weir.simulation;

import static dev.weir.simulation.PlantedBug.inGuarded;
import static dev.weir.simulation.PlantedBug.inLink;

import dev.weir.Answer;
import dev.weir.Claim;
import dev.weir.Decision.Basis;
import dev.weir.Ticker;
import java.util.List;
import java.util.function.Supplier;

/** Bugs in how the store counts, is asked, and is believed. */
final class CountingBugs {
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
          inGuarded(
              "lets pass what the store denied",
              Invariant.STRICT,
              "did not grant",
              store -> Broken.answering(store, Broken::allowed)),
          inGuarded(
              "takes no answer for a grant",
              Invariant.STRICT,
              "did not grant",
              store -> Broken.unanswered(store, Basis.COUNTED)),
          new PlantedBug(
              "counts by a slow clock",
              Invariant.POLITE,
              "for which there is room",
              new Seams() {
                @Override
                Ticker storeClock(Ticker own, Supplier<Ticker> asking) {
                  long began = own.micros();
                  return () -> began + (own.micros() - began) / 2;
                }
              }),
          inLink(
              "tells half of the wait",
              Invariant.RETRY,
              "tells to wait",
              store -> Broken.answering(store, Broken::impatient)),
          inLink(
              "tells twice the wait",
              Invariant.RETRY,
              "tells to wait",
              store -> Broken.answering(store, Broken::timid)),
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
