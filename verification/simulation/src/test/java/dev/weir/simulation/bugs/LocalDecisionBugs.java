package dev.weir.simulation.bugs;

import static dev.weir.simulation.bugs.PlantedBug.inModeRouting;

import dev.weir.Answer;
import dev.weir.Decision;
import dev.weir.Decision.Basis;
import dev.weir.rule.book.Match;
import dev.weir.simulation.audit.Invariant;
import dev.weir.simulation.fleet.InjectionPoints;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;

/** Bugs of a server that decides locally: in local mode, or while the store does not answer. */
final class LocalDecisionBugs {
  static final List<PlantedBug> ALL =
      List.of(
          new PlantedBug(
              "fallback denies all",
              Invariant.POLITE,
              "in fallback mode denied",
              BrokenParts.clientDecision(Basis.LOCAL, BrokenParts::denied)),
          new PlantedBug(
              "fallback allows all",
              Invariant.OUTAGE,
              "in use of FIXED_WINDOW",
              BrokenParts.clientDecision(Basis.LOCAL, BrokenParts::allowed)),
          new PlantedBug(
              "fallback grants concurrency permits twice",
              Invariant.OUTAGE,
              "of CONCURRENCY",
              BrokenParts.clientDecision(Basis.LOCAL, BrokenParts::allowed)),
          new PlantedBug(
              "fallback states half of the wait",
              Invariant.RETRY,
              "in fallback mode states a wrong wait",
              BrokenParts.clientDecision(Basis.LOCAL, BrokenParts::shortenedWait)),
          new PlantedBug(
              "fallback states twice the wait",
              Invariant.RETRY,
              "in fallback mode states a wrong wait",
              BrokenParts.clientDecision(Basis.LOCAL, BrokenParts::overlongWait)),
          new PlantedBug(
              "denies where a rule allows",
              Invariant.OUTAGE,
              "where all rules allow",
              BrokenParts.clientDecision(Basis.UNCOUNTED, BrokenParts::denied)),
          new PlantedBug(
              "allows where a rule denies",
              Invariant.OUTAGE,
              "where the rule denies",
              new InjectionPoints() {
                @Override
                public Function<Match, Answer> entryPoint(Function<Match, Answer> limiter) {
                  return match ->
                      Answer.later(
                          limiter
                              .apply(match)
                              .stage()
                              .exceptionally(failure -> free(match.claims().size())));
                }
              }),
          inModeRouting(
              "allows twice its share in local mode",
              Invariant.OUTAGE,
              "in local mode granted",
              (store, scheduler) ->
                  BrokenStores.changingLocalClaims(store, BrokenParts::doubledFixedWindow)),
          inModeRouting(
              "counts twice in local mode",
              Invariant.POLITE,
              "in local mode denied",
              (store, scheduler) ->
                  BrokenStores.changingLocalClaims(
                      store, claim -> claim.withCost(2 * claim.cost()))));

  private LocalDecisionBugs() {}

  private static Decision free(int claims) {
    Decision one = Decision.allowed(1, 0, Basis.UNCOUNTED);
    return Decision.of(Collections.nCopies(claims, one));
  }
}
