package dev.weir.simulation;

import static dev.weir.simulation.PlantedBug.inGuarded;
import static dev.weir.simulation.PlantedBug.inLink;

import dev.weir.Answer;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Decision.Verdict;
import dev.weir.guard.Roster;
import java.util.List;

/** Bugs in what servers take in advance and give back. */
final class LeaseBugs {
  static final List<PlantedBug> ALL =
      List.of(
          inGuarded(
              "leases without paying",
              Invariant.LEASED,
              "never paid for",
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
              "where it may hold",
              new Seams() {
                @Override
                Roster roster(Roster roster) {
                  return Broken.alone(roster);
                }
              }),
          inLink(
              "never gives back",
              Invariant.POLITE,
              "for nobody",
              store ->
                  new Broken.Leasing(store) {
                    @Override
                    Answer giveBack(List<Claim> claims) {
                      return Decision.of(Verdict.ALLOWED, 1_000_000, 0, 0);
                    }
                  }),
          inGuarded(
              "gives back twice",
              Invariant.ONCE,
              "gave back",
              store ->
                  new Forwarding(store) {
                    @Override
                    public Answer refund(List<Claim> claims) {
                      var unused = super.refund(claims);
                      return super.refund(claims);
                    }
                  }),
          inLink(
              "gives back again without an answer",
              Invariant.ONCE,
              "sent again",
              store ->
                  new Broken.Leasing(store) {
                    @Override
                    Answer giveBack(List<Claim> claims) {
                      return Answer.later(
                          super.giveBack(claims)
                              .stage()
                              .exceptionallyCompose(failure -> super.giveBack(claims).stage()));
                    }
                  }));

  private LeaseBugs() {}
}
