package dev.weir.benchmarks.server;

import dev.weir.testkit.Ports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The Spring applications among the contestants; a profile of theirs chooses the limiter.
 *
 * <p>They are Maven projects outside of Weir's build, so that their many dependencies stay out of
 * this class path. They have the collector that the JVM chooses for one core, with which they are
 * faster than with G1.
 */
public final class SpringApps {
  private static final Path PROJECT = Path.of("verification/benchmarks/spring");

  /** The applications. */
  public enum App {
    /** Answers by itself, by WebFlux or by servlets. */
    APPLICATION("application", "RideApplication"),

    /** Spring Cloud Gateway. */
    GATEWAY("gateway", "GatewayApplication");

    private final Path target;
    private final String main;

    App(String project, String main) {
      this.target = PROJECT.resolve(project).resolve("target");
      this.main = "dev.weir.benchmarks.spring." + main;
    }

    private Path libraries() {
      return target.resolve("lib");
    }
  }

  private SpringApps() {}

  /** Builds them, and returns whether that succeeded; Maven says what is missing if not. */
  public static boolean build() throws IOException, InterruptedException {
    return Tools.find("mvn").isPresent()
        && Tools.run(
            List.of(
                "mvn",
                "-q",
                "-B",
                "-f",
                PROJECT + "/pom.xml",
                "package",
                "-pl",
                "application,gateway",
                "-am",
                "-Dmaven.test.skip=true",
                "-Dspotless.check.skip=true"));
  }

  /** The version of a library of an application, by the name of its file. */
  public static String version(App app, String library) throws IOException {
    try (Stream<Path> libraries = Files.list(app.libraries())) {
      return libraries
          .map(file -> file.getFileName().toString())
          .filter(name -> name.matches(library + "-[0-9].*"))
          .map(name -> name.substring(library.length() + 1).replace(".jar", ""))
          .findFirst()
          .orElse("of unknown version");
    }
  }

  /**
   * Starts an application.
   *
   * @param profiles with commas between them; empty for an application without a limiter
   * @param properties as {@code name=value}
   */
  public static Server start(App app, Path directory, String profiles, List<String> properties)
      throws IOException, InterruptedException {
    int port = Ports.free();
    List<String> command = new ArrayList<>();
    command.addAll(List.of(Tools.java(), "-Xms512m", "-Xmx512m", "-cp"));
    command.addAll(List.of(app.target.resolve("classes") + ":" + app.libraries() + "/*", app.main));
    command.add("--server.port=" + port);
    command.add("--spring.profiles.active=" + profiles);
    properties.forEach(property -> command.add("--" + property));
    Path log = directory.resolve("spring-" + port + ".log");
    ServerProcess process = ServerProcess.start(Cores.forContestant(), command, Map.of(), log);
    return new Server(port, process.await(Load.url(port)));
  }
}
