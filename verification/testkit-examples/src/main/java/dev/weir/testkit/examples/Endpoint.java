package dev.weir.testkit.examples;

/** The six endpoints of the ride-hailing examples, with a good request to each. */
enum Endpoint {
  RIDE_REQUESTS("POST", "/api/rides/request", Bodies.TRIP),
  FARE_ESTIMATES("POST", "/api/fares/estimate", Bodies.TRIP),
  NEARBY_DRIVERS("GET", "/api/drivers/nearby?lat=40.7505&lng=-73.9934", ""),
  DRIVER_LOCATIONS("POST", "/api/drivers/location", Bodies.DRIVER),
  TRIP_HISTORY("GET", "/api/trips/history", ""),
  ZONE_STATS("GET", "/api/admin/zones/stats", "");

  private final String method;
  private final String target;
  private final String body;

  Endpoint(String method, String target, String body) {
    this.method = method;
    this.target = target;
    this.body = body;
  }

  String method() {
    return method;
  }

  String target() {
    return target;
  }

  String body() {
    return body;
  }

  /** The name of the rule that limits it. */
  String rule() {
    return name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
  }

  private static final class Bodies {
    static final String TRIP =
        """
        {"pickup": {"lat": 40.7505, "lng": -73.9934}, "dropoff": {"lat": 40.758, "lng": -73.9855}}
        """;
    static final String DRIVER =
        """
        {"id": "dee", "at": {"lat": 40.7505, "lng": -73.9934}}
        """;
  }
}
