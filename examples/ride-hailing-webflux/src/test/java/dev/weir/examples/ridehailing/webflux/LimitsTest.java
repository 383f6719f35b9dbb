package dev.weir.examples.ridehailing.webflux;

import dev.weir.testkit.examples.LimitsContract;

/** The limits of the service on WebFlux. */
class LimitsTest extends LimitsContract {
  LimitsTest() {
    super(RideHailingApplication.class);
  }
}
