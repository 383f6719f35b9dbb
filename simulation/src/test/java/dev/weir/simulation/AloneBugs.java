package dev.weir.simulation;

import static dev.weir.simulation.PlantedBug.inModes;

import dev.weir.Answer;
import dev.weir.Decision;
import dev.weir.Decision.Basis;
import dev.weir.rule.Match;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;

/** Bugs of a server that counts by itself: in local mode, or while the store does not answer. */
final class AloneBugs {
  static final List<PlantedBug> ALL =
      List.of(
          new PlantedBug(
              "stands in and denies all",
              Invariant.POLITE,
              "alone denied",
              Broken.heard(Basis.ALONE, Broken::denied)),
          new PlantedBug(
              "stands in and lets all pass",
              Invariant.OUTAGE,
              "in use of FIXED_WINDOW",
              Broken.heard(Basis.ALONE, Broken::allowed)),
          new PlantedBug(
              "stands in and gives places twice",
              Invariant.OUTAGE,
              "of CONCURRENCY",
              Broken.heard(Basis.ALONE, Broken::allowed)),
          new PlantedBug(
              "stands in and tells half of the wait",
              Invariant.RETRY,
              "alone does not keep to",
              Broken.heard(Basis.ALONE, Broken::impatient)),
          new PlantedBug(
              "stands in and tells twice the wait",
              Invariant.RETRY,
              "alone does not keep to",
              Broken.heard(Basis.ALONE, Broken::timid)),
          new PlantedBug(
              "denies where a rule allows",
              Invariant.OUTAGE,
              "where all rules allow",
              Broken.heard(Basis.UNCOUNTED, Broken::denied)),
          new PlantedBug(
              "allows where a rule denies",
              Invariant.OUTAGE,
              "where the rule denies",
              new Seams() {
                @Override
                Function<Match, Answer> front(Function<Match, Answer> limiter) {
                  return match ->
                      Answer.later(
                          limiter
                              .apply(match)
                              .stage()
                              .exceptionally(failure -> free(match.claims().size())));
                }
              }),
          inModes(
              "keeps to twice its share in local mode",
              Invariant.OUTAGE,
              "in local mode let pass",
              (store, timers) -> BrokenStores.local(store, Broken::twice)),
          inModes(
              "counts twice in local mode",
              Invariant.POLITE,
              "in local mode denied",
              (store, timers) -> BrokenStores.local(store, one -> one.costing(2 * one.cost()))));

  private AloneBugs() {}

  private static Decision free(int claims) {
    Decision one = Decision.allowed(1, 0, Basis.UNCOUNTED);
    return Decision.of(Collections.nCopies(claims, one));
  }
}
