package dev.weir.simulation.bugs;

import static dev.weir.simulation.bugs.PlantedBug.inGuard;
import static dev.weir.simulation.bugs.PlantedBug.inLink;
import static dev.weir.simulation.bugs.PlantedBug.inStore;

import dev.weir.Answer;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Decision.Verdict;
import dev.weir.shared.fleet.Roster;
import dev.weir.simulation.audit.Invariant;
import dev.weir.simulation.exchange.ForwardingStore;
import dev.weir.simulation.fleet.InjectionPoints;
import java.util.ArrayList;
import java.util.List;

/** Bugs in how servers lease and return permits. */
final class LeaseBugs {
  static final List<PlantedBug> ALL =
      List.of(
          inGuard(
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
              "leases as if it were the only server",
              Invariant.LEASED,
              "where it may hold",
              new InjectionPoints() {
                @Override
                public Roster roster(Roster roster) {
                  return BrokenParts.changedRoll(roster, BrokenParts::onlyItself);
                }
              }),
          inGuard(
              "sends two refills at a time",
              Invariant.LEASED,
              "sends two refills at a time",
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
                      return super.refill(claims.stream().map(BrokenParts::half).toList());
                    }
                  }),
          inGuard(
              "returns to the next window",
              Invariant.BOOKS,
              "to a window",
              store ->
                  new BrokenStores.Leasing(store) {
                    private final List<List<Claim>> late = new ArrayList<>();

                    @Override
                    Answer returnPermits(List<Claim> claims) {
                      late.add(claims);
                      return Decision.of(Verdict.ALLOWED, 1_000_000, 0, 0);
                    }

                    @Override
                    Answer refill(List<Claim> claims) {
                      late.forEach(super::returnPermits);
                      late.clear();
                      return super.refill(claims);
                    }
                  }),
          inLink(
              "never returns permits",
              Invariant.POLITE,
              "unused permits",
              store ->
                  new BrokenStores.Leasing(store) {
                    @Override
                    Answer returnPermits(List<Claim> claims) {
                      return Decision.of(Verdict.ALLOWED, 1_000_000, 0, 0);
                    }
                  }),
          inGuard(
              "returns twice",
              Invariant.ONCE,
              "gave back",
              store ->
                  new ForwardingStore(store) {
                    @Override
                    public Answer refund(List<Claim> claims) {
                      var unused = super.refund(claims);
                      return super.refund(claims);
                    }
                  }),
          inLink(
              "returns again without an answer",
              Invariant.ONCE,
              "sent again",
              store ->
                  new BrokenStores.Leasing(store) {
                    @Override
                    Answer returnPermits(List<Claim> claims) {
                      return Answer.later(
                          super.returnPermits(claims)
                              .stage()
                              .exceptionallyCompose(
                                  failure -> super.returnPermits(claims).stage()));
                    }
                  }));

  private LeaseBugs() {}
}
