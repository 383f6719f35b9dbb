package dev.weir.simulation.exchange;

import dev.weir.shared.fallback.LocalFallback;
import dev.weir.shared.lease.ModeRoutingStore.Counts;
import dev.weir.simulation.model.FleetModel;
import dev.weir.simulation.world.WallClock;

/** What the audit knows about a server. Its string form is the name of the server. */
public interface AuditedServer {
  /** The clock of the server's local counters. */
  WallClock wallClock();

  /** The rosters that the server truly received. */
  FleetModel fleetModel();

  /** The local counters of the server, with what they report about pending charges. */
  LocalFallback fallback();

  /** What the server reports about its leases. */
  Counts leaseCounts();

  /** Whether the process runs. */
  boolean isAlive();

  /** Whether clients send requests to it. */
  boolean isServing();

  /** Whether it sends requests to the store, because its circuit breaker is closed. */
  boolean callsStore();

  /** Whether the process is paused. */
  boolean isPaused();

  /** How long the process has been paused in total. */
  long pausedNanos();

  /** Whether it learns at this very moment that the store has lost all its data. */
  boolean isLearningOfDataLoss();
}
