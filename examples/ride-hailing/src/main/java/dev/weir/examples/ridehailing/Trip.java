package dev.weir.examples.ridehailing;

import java.util.Objects;

/** From where to where somebody wants to ride. */
public record Trip(Location pickup, Location dropoff) {
  /** A trip has two ends. */
  public Trip {
    Objects.requireNonNull(pickup, "pickup");
    Objects.requireNonNull(dropoff, "dropoff");
  }
}
