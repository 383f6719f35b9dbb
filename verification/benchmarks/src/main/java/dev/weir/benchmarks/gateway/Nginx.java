package dev.weir.benchmarks.gateway;

import dev.weir.benchmarks.server.Cores;
import dev.weir.benchmarks.server.Load;
import dev.weir.benchmarks.server.Server;
import dev.weir.benchmarks.server.ServerProcess;
import dev.weir.testkit.Ports;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** NGINX as a plain proxy, with one worker and connections that it keeps. */
final class Nginx {
  private Nginx() {}

  static Server start(Path program, Templates templates, int upstream)
      throws IOException, InterruptedException {
    int port = Ports.free();
    Path config =
        templates.write("proxy.conf", "proxy.conf", Map.of("port", port, "upstream", upstream));
    ServerProcess process =
        ServerProcess.start(
            Cores.forContestant(),
            command(program, templates, config),
            Map.of(),
            templates.directory().resolve("proxy.log"));
    return new Server(port, process.await(Load.url(port)));
  }

  static List<String> command(Path program, Templates templates, Path config) {
    return List.of(
        program.toString(), "-p", templates.directory().toString(), "-c", config.toString());
  }
}
