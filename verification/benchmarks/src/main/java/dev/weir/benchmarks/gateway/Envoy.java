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
import java.util.Optional;

/**
 * Envoy with its rate limit filter, which asks envoyproxy/ratelimit on the same core.
 *
 * @param envoy the program of Envoy
 * @param ratelimit the program of envoyproxy/ratelimit
 */
record Envoy(Path envoy, Path ratelimit) {

  /** Both programs, if both are installed. */
  static Optional<Envoy> find() {
    // The Go toolchain names a program after its folder.
    Optional<Path> service = Tools.find("ratelimit").or(() -> Tools.find("service_cmd"));
    return Tools.find("envoy").flatMap(envoy -> service.map(found -> new Envoy(envoy, found)));
  }

  Server start(Templates templates, int redis, int upstream)
      throws IOException, InterruptedException {
    int limiterPort = Ports.free();
    ServerProcess limiter = startLimiter(templates, redis, limiterPort);
    int port = Ports.free();
    Path config =
        templates.write(
            "envoy.yaml",
            "envoy.yaml",
            Map.of("port", port, "upstream", upstream, "limiter", limiterPort));
    ServerProcess process =
        ServerProcess.start(
            Cores.forContestant(),
            List.of(
                envoy.toString(),
                "-c",
                config.toString(),
                "--concurrency",
                "1",
                "--disable-hot-restart",
                "--log-level",
                "error"),
            Map.of(),
            templates.directory().resolve("envoy.log"));
    return new Server(port, limiter, process.await(Load.url(port)));
  }

  private ServerProcess startLimiter(Templates templates, int redis, int grpcPort)
      throws IOException, InterruptedException {
    templates.write("ratelimit.yaml", "ratelimit/config/bench.yaml", Map.of());
    int port = Ports.free();
    Map<String, String> environment =
        Map.ofEntries(
            Map.entry("RUNTIME_ROOT", templates.directory().toString()),
            Map.entry("RUNTIME_SUBDIRECTORY", "ratelimit"),
            Map.entry("RUNTIME_WATCH_ROOT", "false"),
            Map.entry("USE_STATSD", "false"),
            Map.entry("LOG_LEVEL", "error"),
            Map.entry("REDIS_SOCKET_TYPE", "tcp"),
            Map.entry("REDIS_URL", "127.0.0.1:" + redis),
            Map.entry("HOST", "127.0.0.1"),
            Map.entry("PORT", Integer.toString(port)),
            Map.entry("GRPC_HOST", "127.0.0.1"),
            Map.entry("GRPC_PORT", Integer.toString(grpcPort)),
            Map.entry("DEBUG_HOST", "127.0.0.1"),
            Map.entry("DEBUG_PORT", Integer.toString(Ports.free())));
    return ServerProcess.start(
            Cores.forContestant(),
            List.of(ratelimit.toString()),
            environment,
            templates.directory().resolve("ratelimit.log"))
        .await("http://127.0.0.1:" + port + "/healthcheck");
  }
}
