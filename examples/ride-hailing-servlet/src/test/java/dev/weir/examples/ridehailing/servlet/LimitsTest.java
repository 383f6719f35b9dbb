package dev.weir.examples.ridehailing.servlet;

import dev.weir.testkit.examples.LimitsContract;

/** The limits of the service on servlets. */
class LimitsTest extends LimitsContract {
  LimitsTest() {
    super(RideHailingApplication.class);
  }
}
