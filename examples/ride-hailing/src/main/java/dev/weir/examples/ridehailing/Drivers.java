package dev.weir.examples.ridehailing;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * Where the drivers are: the index that constantly many writes go to, which is why the rules let
 * them through at an even rate.
 */
final class Drivers {
  private static final int MAX_DRIVERS = 50_000;
  private static final long NEAR_METRES = 3_000;

  private final Map<String, Driver> byId = new ConcurrentHashMap<>();

  /** Moves a driver; false if the city is full. */
  boolean move(Driver driver) {
    return byId.replace(driver.id(), driver) != null
        || (byId.size() < MAX_DRIVERS && byId.put(driver.id(), driver) == null);
  }

  /** The nearest drivers, the nearest first. */
  List<Driver> near(Location location, int max) {
    return byId.values().stream()
        .filter(driver -> driver.at().metresTo(location) <= NEAR_METRES)
        .sorted(Comparator.comparingLong(driver -> driver.at().metresTo(location)))
        .limit(max)
        .toList();
  }

  /** How many drivers are in each zone. */
  Map<String, Long> zones() {
    return byId.values().stream()
        .collect(
            Collectors.groupingBy(
                driver -> driver.at().zone(), TreeMap::new, Collectors.counting()));
  }
}
