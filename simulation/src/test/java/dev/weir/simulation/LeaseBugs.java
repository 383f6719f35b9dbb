package dev.weir.simulation;

import static dev.weir.simulation.PlantedBug.inGuarded;
import static dev.weir.simulation.PlantedBug.inLink;
import static dev.weir.simulation.PlantedBug.inStore;

import dev.weir.Answer;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Decision.Verdict;
import dev.weir.guard.Roster;
import java.util.ArrayList;
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
                  new BrokenStores.Leasing(store) {
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
                  return Broken.hearing(roster, Broken::alone);
                }
              }),
          inGuarded(
              "asks for two leases at a time",
              Invariant.LEASED,
              "asks twice at a time",
              store ->
                  new BrokenStores.Leasing(store) {
                    @Override
                    Answer refill(List<Claim> claims) {
                      var unused = super.refill(claims);
                      return super.refill(claims);
                    }
                  }),
          inStore(
              "counts half of a lease",
              Invariant.LEASED,
              "held in advance",
              store ->
                  new BrokenStores.Leasing(store) {
                    @Override
                    Answer refill(List<Claim> claims) {
                      return super.refill(claims.stream().map(Broken::half).toList());
                    }
                  }),
          inGuarded(
              "gives back to the next window",
              Invariant.BOOKS,
              "to a window",
              store ->
                  new BrokenStores.Leasing(store) {
                    private final List<List<Claim>> late = new ArrayList<>();

                    @Override
                    Answer giveBack(List<Claim> claims) {
                      late.add(claims);
                      return Decision.of(Verdict.ALLOWED, 1_000_000, 0, 0);
                    }

                    @Override
                    Answer refill(List<Claim> claims) {
                      late.forEach(super::giveBack);
                      late.clear();
                      return super.refill(claims);
                    }
                  }),
          inLink(
              "never gives back",
              Invariant.POLITE,
              "for nobody",
              store ->
                  new BrokenStores.Leasing(store) {
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
                  new BrokenStores.Leasing(store) {
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
