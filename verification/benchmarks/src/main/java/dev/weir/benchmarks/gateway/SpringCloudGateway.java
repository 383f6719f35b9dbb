package dev.weir.benchmarks.gateway;

import dev.weir.testkit.Ports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Spring Cloud Gateway with its RequestRateLimiter.
 *
 * <p>It is a Maven project of its own, so that its many dependencies stay out of this class path.
 * It has the collector that the JVM chooses for its core, with which it is faster than with G1.
 */
final class SpringCloudGateway {
  private static final Path PROJECT = Path.of("verification/benchmarks/spring-cloud-gateway");
  private static final Path LIBRARIES = PROJECT.resolve("target/lib");
  private static final String MAIN = "dev.weir.benchmarks.spring.Application";
  private static final String NAME = "spring-cloud-gateway-server-webflux-";

  private SpringCloudGateway() {}

  /** Builds it, and returns whether that succeeded; Maven says what is missing if not. */
  static boolean build() throws IOException, InterruptedException {
    return Tools.find("mvn").isPresent()
        && Tools.run(List.of("mvn", "-q", "-B", "-f", PROJECT + "/pom.xml", "process-classes"));
  }

  /** Its version, by the name of its library. */
  static String version() throws IOException {
    try (Stream<Path> libraries = Files.list(LIBRARIES)) {
      return libraries
          .map(file -> file.getFileName().toString())
          .filter(name -> name.startsWith(NAME))
          .map(name -> name.substring(NAME.length()).replace(".jar", ""))
          .findFirst()
          .orElse("of unknown version");
    }
  }

  static Server start(Templates templates, String redis, int upstream)
      throws IOException, InterruptedException {
    int port = Ports.free();
    List<String> command =
        List.of(
            Tools.java(),
            "-cp",
            PROJECT.resolve("target/classes") + ":" + LIBRARIES + "/*",
            MAIN,
            "--server.port=" + port,
            "--redis=" + redis,
            "--upstream=http://127.0.0.1:" + upstream);
    ServerProcess process =
        ServerProcess.start(
            Cores.forContestant(),
            command,
            Map.of(),
            templates.directory().resolve("spring-cloud-gateway.log"));
    return new Server(port, process.await("http://127.0.0.1:" + port + Load.PATH));
  }
}
