package dev.weir.simulation;

import dev.weir.Answer;
import dev.weir.Claim;
import dev.weir.Store;
import dev.weir.guard.Timers;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * A bug that a limiter might have, put in where its parts meet.
 *
 * @param broken the promise that it breaks
 * @param seen how the check speaks that is meant to see it
 */
record PlantedBug(String what, Invariant broken, String seen, Seams seams) {
  static final List<PlantedBug> ALL =
      Stream.of(CountingBugs.ALL, LeaseBugs.ALL, FailingBugs.ALL, AloneBugs.ALL, TimeBugs.ALL)
          .flatMap(List::stream)
          .toList();

  /** Put in between the guard and the network. */
  static PlantedBug inLink(
      String what, Invariant broken, String seen, UnaryOperator<Store> change) {
    Seams seams =
        new Seams() {
          @Override
          Store link(Store link) {
            return change.apply(link);
          }
        };
    return new PlantedBug(what, broken, seen, seams);
  }

  /** Put in between the limiter and the modes. */
  static PlantedBug inModes(
      String what, Invariant broken, String seen, BiFunction<Store, Timers, Store> change) {
    Seams seams =
        new Seams() {
          @Override
          Store modes(Store byMode, Timers timers) {
            return change.apply(byMode, timers);
          }
        };
    return new PlantedBug(what, broken, seen, seams);
  }

  /** Put into the store itself. */
  static PlantedBug inStore(
      String what, Invariant broken, String seen, UnaryOperator<Store> change) {
    Seams seams =
        new Seams() {
          @Override
          Store store(Store store) {
            return change.apply(store);
          }
        };
    return new PlantedBug(what, broken, seen, seams);
  }

  /** Put in between leases and the guard. */
  static PlantedBug inGuarded(
      String what, Invariant broken, String seen, UnaryOperator<Store> change) {
    Seams seams =
        new Seams() {
          @Override
          Store guarded(Store guarded) {
            return change.apply(guarded);
          }
        };
    return new PlantedBug(what, broken, seen, seams);
  }

  /** Put in where debts are paid. */
  static PlantedBug inSettling(String what, Invariant broken, String seen, Charging charging) {
    Seams seams =
        new Seams() {
          @Override
          Store settling(Store store) {
            return BrokenStores.charging(store, charging);
          }
        };
    return new PlantedBug(what, broken, seen, seams);
  }

  /** How debts are charged. */
  interface Charging {
    Answer charge(Store store, List<Claim> claims);
  }

  /** Whether it shows in what was broken. */
  boolean isSeenIn(Violation violation) {
    return violation.invariant() == broken && violation.what().contains(seen);
  }

  @Override
  public String toString() {
    return what;
  }
}
