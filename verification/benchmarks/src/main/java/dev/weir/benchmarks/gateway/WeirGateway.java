package dev.weir.benchmarks.gateway;

import dev.weir.benchmarks.server.Cores;
import dev.weir.benchmarks.server.Load;
import dev.weir.benchmarks.server.Server;
import dev.weir.benchmarks.server.ServerProcess;
import dev.weir.benchmarks.server.Tools;
import dev.weir.testkit.Ports;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** {@code ./weir gateway}, started as its users start it. */
final class WeirGateway {
  private static final String COMMAND = "./weir";

  private WeirGateway() {}

  /** Builds the command if sources are newer, so that no contestant waits for it. */
  static void build() throws IOException, InterruptedException {
    if (!Tools.run(List.of(COMMAND, "--version"))) {
      throw new IllegalStateException(COMMAND + " does not run");
    }
  }

  /**
   * Starts a gateway.
   *
   * @param rules the name of the resource with its rules
   * @param store where it counts: {@code embedded}, or the URL of a Redis
   */
  static Server start(Templates templates, String rules, String store, int upstream)
      throws IOException, InterruptedException {
    int port = Ports.free();
    Path file = templates.write(rules);
    List<String> command =
        List.of(
            COMMAND,
            "gateway",
            "--upstream",
            "http://127.0.0.1:" + upstream,
            "--rules",
            file.toString(),
            "--store",
            store,
            "--port",
            Integer.toString(port),
            "--admin-port",
            Integer.toString(Ports.free()));
    ServerProcess process =
        ServerProcess.start(
            Cores.forContestant(), command, Map.of(), file.resolveSibling(rules + ".log"));
    return new Server(port, process.await(Load.url(port)));
  }
}
