package dev.weir.simulation.bugs;

import dev.weir.Answer;
import dev.weir.Claim;
import dev.weir.Store;
import dev.weir.async.Scheduler;
import dev.weir.simulation.audit.Invariant;
import dev.weir.simulation.audit.Violation;
import dev.weir.simulation.fleet.InjectionPoints;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * A bug that a limiter might have, planted between its parts.
 *
 * @param invariant the invariant that it breaks
 * @param message part of the message of the check that is meant to detect it
 * @param points where the bug is planted
 */
public record PlantedBug(
    String description, Invariant invariant, String message, InjectionPoints points) {
  public static final List<PlantedBug> ALL =
      Stream.of(StoreBugs.ALL, LeaseBugs.ALL, OutageBugs.ALL, LocalDecisionBugs.ALL, ClockBugs.ALL)
          .flatMap(List::stream)
          .toList();

  /** Planted between the guard and the network. */
  static PlantedBug inLink(
      String description, Invariant invariant, String message, UnaryOperator<Store> change) {
    InjectionPoints points =
        new InjectionPoints() {
          @Override
          public Store link(Store link) {
            return change.apply(link);
          }
        };
    return new PlantedBug(description, invariant, message, points);
  }

  /** Planted between the limiter and the routing by mode. */
  static PlantedBug inModeRouting(
      String description,
      Invariant invariant,
      String message,
      BiFunction<Store, Scheduler, Store> change) {
    InjectionPoints points =
        new InjectionPoints() {
          @Override
          public Store modeRouting(Store modeRouting, Scheduler scheduler) {
            return change.apply(modeRouting, scheduler);
          }
        };
    return new PlantedBug(description, invariant, message, points);
  }

  /** Planted in the store itself. */
  static PlantedBug inStore(
      String description, Invariant invariant, String message, UnaryOperator<Store> change) {
    InjectionPoints points =
        new InjectionPoints() {
          @Override
          public Store store(Store store) {
            return change.apply(store);
          }
        };
    return new PlantedBug(description, invariant, message, points);
  }

  /** Planted between leases and the guard. */
  static PlantedBug inGuard(
      String description, Invariant invariant, String message, UnaryOperator<Store> change) {
    InjectionPoints points =
        new InjectionPoints() {
          @Override
          public Store guard(Store guarded) {
            return change.apply(guarded);
          }
        };
    return new PlantedBug(description, invariant, message, points);
  }

  /** Planted where pending charges are sent. */
  static PlantedBug inPendingCharges(
      String description, Invariant invariant, String message, Charging charging) {
    InjectionPoints points =
        new InjectionPoints() {
          @Override
          public Store pendingCharges(Store store) {
            return BrokenStores.charging(store, charging);
          }
        };
    return new PlantedBug(description, invariant, message, points);
  }

  /** How pending charges are sent. */
  interface Charging {
    Answer charge(Store store, List<Claim> claims);
  }

  /** Whether a violation shows that the bug was detected. */
  public boolean isDetectedIn(Violation violation) {
    return violation.invariant() == invariant && violation.description().contains(message);
  }

  @Override
  public String toString() {
    return description;
  }
}
