package dev.weir.server;

import dev.weir.testkit.redis.FaultProxy;
import java.time.Duration;

/** What may be wrong with a Redis that is there. */
enum Trouble {
  /** It accepts connections, and never answers. */
  SILENT(1_000) {
    @Override
    void at(FaultProxy redis, int second) {
      redis.blackhole(true);
    }
  },

  /** It answers after 24 ms, and the way takes one or two more: a moment too late. */
  LATE(1_000) {
    @Override
    void at(FaultProxy redis, int second) {
      redis.latency(Duration.ofMillis(24));
    }
  },

  /** It answers just in time if it is asked one by one, and so few ask that it is. */
  SLOW(20) {
    @Override
    void at(FaultProxy redis, int second) {
      redis.latency(Duration.ofMillis(20));
    }
  },

  /** It is gone every other second. */
  FLAPPING(1_000) {
    @Override
    void at(FaultProxy redis, int second) {
      redis.blackhole(second % 2 == 0);
    }
  };

  final int requestsPerSecond;

  Trouble(int requestsPerSecond) {
    this.requestsPerSecond = requestsPerSecond;
  }

  abstract void at(FaultProxy redis, int second);
}
