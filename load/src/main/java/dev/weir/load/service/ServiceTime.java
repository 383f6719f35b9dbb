package dev.weir.load.service;

import java.util.random.RandomGenerator;

/**
 * How long a worker needs for a request.
 *
 * <p>Half of the time is the same for all requests, the other half varies and is skewed to the
 * right (Erlang, two stages), as times of queries to a database are. Requests that wait make those
 * in service slower, as locks, context switches and memory do: with a hundred requests waiting for
 * each worker the time is 2.5 times the usual one, and it approaches four times. A service that is
 * overloaded therefore does less than one that is merely busy. Up to one waiting request for each
 * worker costs three percent at most, so that a busy service recovers by itself.
 */
final class ServiceTime {
  private static final double MAX_SLOWDOWN = 3;
  private static final double WAITING_FOR_HALF = 100;

  private final Capacity capacity;
  private final RandomGenerator random;

  ServiceTime(Capacity capacity, RandomGenerator random) {
    this.capacity = capacity;
    this.random = random;
  }

  /** Draws the time for a request that begins while others wait. */
  long drawNanos(int waiting) {
    double erlang = -Math.log((1 - random.nextDouble()) * (1 - random.nextDouble())) / 2;
    return (long) (capacity.serviceNanos() * (0.5 + 0.5 * erlang) * slowdown(waiting));
  }

  /** How many times longer a request takes than with nobody waiting. */
  double slowdown(int waiting) {
    return 1 + MAX_SLOWDOWN * waiting / (waiting + WAITING_FOR_HALF * capacity.workers());
  }
}
