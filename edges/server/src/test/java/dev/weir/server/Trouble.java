package dev.weir.server;

import dev.weir.testkit.redis.FaultProxy;
import java.time.Duration;

/** Faults of a Redis that accepts connections. */
public enum Trouble {
  /** Accepts connections and never answers. */
  SILENT(1_000) {
    @Override
    public void at(FaultProxy redis, int second) {
      redis.blackhole(true);
    }
  },

  /** Answers after 24 ms, with network delay just after the deadline. */
  LATE(1_000) {
    @Override
    public void at(FaultProxy redis, int second) {
      redis.latency(Duration.ofMillis(24));
    }
  },

  /** Answers just in time, as long as requests come one by one, which they do at this rate. */
  SLOW(20) {
    @Override
    public void at(FaultProxy redis, int second) {
      redis.latency(Duration.ofMillis(20));
    }
  },

  /** Is down every other second. */
  FLAPPING(1_000) {
    @Override
    public void at(FaultProxy redis, int second) {
      redis.blackhole(second % 2 == 0);
    }
  };

  public final int requestsPerSecond;

  Trouble(int requestsPerSecond) {
    this.requestsPerSecond = requestsPerSecond;
  }

  public abstract void at(FaultProxy redis, int second);
}
