package dev.weir.examples.ridehailing;

/** What a trip costs. */
public record Fare(long metres, long cents) {
  private static final long BASE_CENTS = 250;
  private static final long CENTS_PER_KM = 180;

  static Fare of(Trip trip) {
    long metres = trip.pickup().metresTo(trip.dropoff());
    return new Fare(metres, BASE_CENTS + metres * CENTS_PER_KM / 1_000);
  }
}
