package dev.weir.benchmarks.server;

import java.time.Duration;
import java.util.List;

/**
 * A contestant that runs: its port, and the processes that it consists of.
 *
 * @param processes in the order of their start; none for the upstream itself
 */
public record Server(int port, List<ServerProcess> processes) implements AutoCloseable {
  /** Of processes in the order of their start. */
  public Server(int port, ServerProcess... processes) {
    this(port, List.of(processes));
  }

  /** The CPU time of all its processes so far. */
  public Duration cpu() {
    return processes.stream().map(ServerProcess::cpu).reduce(Duration.ZERO, Duration::plus);
  }

  @Override
  public void close() {
    processes.forEach(ServerProcess::close);
  }
}
