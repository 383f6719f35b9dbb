package dev.weir.grpc;

import dev.weir.async.Scheduler;

/** The timers of all interceptors that were given none; created on first use. */
final class Timers {
  private static final Scheduler SHARED = Scheduler.system();

  private Timers() {}

  static Scheduler shared() {
    return SHARED;
  }
}
