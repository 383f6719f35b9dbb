package dev.weir.examples.ridehailing.webflux;

import dev.weir.testkit.examples.RedisContract;

/** The service on WebFlux with a Redis, and without it. */
class RedisTest extends RedisContract {
  RedisTest() {
    super(RideHailingApplication.class);
  }
}
