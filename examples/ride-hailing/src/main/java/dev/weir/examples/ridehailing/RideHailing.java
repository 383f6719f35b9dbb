package dev.weir.examples.ridehailing;

import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/** The service behind the six endpoints. It blocks nowhere. Thread-safe. */
public final class RideHailing {
  private static final int NEARBY = 5;

  private final Drivers drivers = new Drivers();
  private final Rides rides = new Rides();
  private final AtomicLong numbers = new AtomicLong();

  /** A service with three drivers around a concert hall, so that the first rider finds one. */
  public RideHailing() {
    moved(new Driver("ada", new Location(40.7512, -73.9921)));
    moved(new Driver("bo", new Location(40.7489, -73.9962)));
    moved(new Driver("cy", new Location(40.7573, -73.9860)));
  }

  /**
   * Sends the nearest driver.
   *
   * @throws NoDriverException if there is none
   */
  public Ride request(String rider, Trip trip) {
    Driver driver =
        drivers.near(trip.pickup(), 1).stream()
            .findFirst()
            .orElseThrow(() -> new NoDriverException(trip.pickup()));
    Ride ride = new Ride("ride-" + numbers.incrementAndGet(), driver, trip, Fare.of(trip));
    rides.add(rider, ride);
    return ride;
  }

  /** What a trip would cost. */
  public Fare estimate(Trip trip) {
    return Fare.of(trip);
  }

  /** Records where a driver is; false if there are too many drivers. */
  public boolean moved(Driver driver) {
    return drivers.move(driver);
  }

  /** The drivers near a location, the nearest first. */
  public List<Driver> nearby(Location location) {
    return drivers.near(location, NEARBY);
  }

  /** The last rides of a rider, the latest first. */
  public List<Ride> history(String rider) {
    return rides.of(rider);
  }

  /** How many drivers are in each zone. */
  public Map<String, Long> zoneStats() {
    return drivers.zones();
  }
}
