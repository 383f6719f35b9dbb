package dev.weir.benchmarks.gateway;

import dev.weir.benchmarks.server.Cores;
import dev.weir.benchmarks.server.Load;
import dev.weir.benchmarks.server.Server;
import dev.weir.benchmarks.server.ServerProcess;
import dev.weir.benchmarks.server.Tools;
import dev.weir.testkit.Ports;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The server behind all contestants: NGINX with a fixed answer, or one of ours without NGINX. */
public final class Upstream {
  private static final String BODY = "{\"ride\":17,\"state\":\"accepted\",\"driver\":\"d-4711\"}\n";

  private Upstream() {}

  /** Starts it. */
  public static Server start(Templates templates) throws IOException, InterruptedException {
    int port = Ports.free();
    Optional<Path> nginx = Tools.find("nginx");
    List<String> command;
    if (nginx.isPresent()) {
      Path config = templates.write("upstream.conf", "upstream.conf", Map.of("port", port));
      command = Nginx.command(nginx.get(), templates, config);
    } else {
      command =
          List.of(
              Tools.java(),
              "-cp",
              System.getProperty("java.class.path"),
              Upstream.class.getName(),
              Integer.toString(port));
    }
    Path log = templates.directory().resolve("upstream.log");
    ServerProcess process = ServerProcess.start(Cores.forOthers(), command, Map.of(), log);
    return new Server(port, process.await(Load.url(port)));
  }

  /** Serves the fixed answer on the port that the argument names. */
  public static void main(String[] args) {
    Vertx.vertx(new VertxOptions().setPreferNativeTransport(true))
        .createHttpServer()
        .requestHandler(
            request -> request.response().putHeader("Content-Type", "application/json").end(BODY))
        .listen(Integer.parseInt(args[0]), "127.0.0.1")
        .await();
  }
}
