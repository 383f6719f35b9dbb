package dev.weir.examples.ridehailing.servlet;

import dev.weir.testkit.examples.RedisContract;

/** The service on servlets with a Redis, and without it. */
class RedisTest extends RedisContract {
  RedisTest() {
    super(RideHailingApplication.class);
  }
}
