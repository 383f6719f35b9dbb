package dev.weir.examples.ridehailing;

/** A point on earth, in degrees. */
public record Location(double lat, double lng) {
  private static final double METRES_PER_DEGREE = 111_320;

  /** The distance in metres, as the crow flies; good enough within a city. */
  public long metresTo(Location other) {
    double north = (other.lat - lat) * METRES_PER_DEGREE;
    double east = (other.lng - lng) * METRES_PER_DEGREE * Math.cos(Math.toRadians(lat));
    return Math.round(Math.hypot(north, east));
  }

  /** The zone: a square of a hundredth of a degree, about a kilometre. */
  public String zone() {
    return Math.floorDiv(Math.round(lat * 10_000), 100)
        + "/"
        + Math.floorDiv(Math.round(lng * 10_000), 100);
  }
}
