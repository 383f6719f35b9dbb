package dev.weir.server.store;

import dev.weir.async.Scheduler;
import dev.weir.shared.StoreMemory;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * Reads the memory of the nodes of a store every {@link #INTERVAL}, off the path of requests, with
 * one read in flight at most. A node that does not answer is unknown until it does. Thread-safe.
 */
final class StoreMemoryMonitor {
  static final Duration INTERVAL = Duration.ofSeconds(10);

  private final StoreMemory memory;
  private final Scheduler scheduler;
  private volatile List<StoreMemory.Node> nodes = List.of();
  private volatile boolean stopped;

  StoreMemoryMonitor(StoreMemory memory, Scheduler scheduler) {
    this.memory = memory;
    this.scheduler = scheduler;
  }

  /** Reads once and schedules the next read, until {@link #stop}. Call it once. */
  void start() {
    if (stopped) {
      return;
    }
    CompletionStage<List<StoreMemory.Node>> read = memory.read();
    var unused =
        read.whenComplete(
            (found, failure) -> {
              nodes = failure == null ? found : List.of();
              scheduler.schedule(INTERVAL.toNanos(), this::start);
            });
  }

  /** Ends with the read in flight. */
  void stop() {
    stopped = true;
  }

  /** The nodes that answered the last read. */
  List<StoreMemory.Node> nodes() {
    return nodes;
  }
}
