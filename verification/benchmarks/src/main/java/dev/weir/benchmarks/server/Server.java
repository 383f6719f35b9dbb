package dev.weir.benchmarks.server;

import java.io.IOException;
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

  void moveToAllCores() throws IOException, InterruptedException {
    for (ServerProcess process : processes) {
      for (long pid : process.pids()) {
        Cores.moveToAll(pid);
      }
    }
  }

  void moveToContestantsCore() throws IOException, InterruptedException {
    for (ServerProcess process : processes) {
      for (long pid : process.pids()) {
        Cores.moveToContestants(pid);
      }
    }
  }

  @Override
  public void close() {
    processes.forEach(ServerProcess::close);
  }
}
