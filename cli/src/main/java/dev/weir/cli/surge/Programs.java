package dev.weir.cli.surge;

import dev.weir.cli.command.Failure;
import dev.weir.load.service.Capacity;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Starts the service and the gateway as processes of their own, with this Java and class path. */
final class Programs {
  private static final Duration START = Duration.ofMinutes(3);
  private static final Pattern SERVICE = Pattern.compile("weir: service on (http://[0-9.:]+)");
  private static final Pattern GATEWAY = Pattern.compile("weir: traffic on (http://[0-9.:]+)");

  /** Names a file of arguments for java that start a service faster; absent if there is none. */
  private static final String SERVICE_ARGUMENTS = "weir.service.arguments";

  private final Class<?> main;

  /** Creates a starter of programs with this main class. */
  Programs(Class<?> main) {
    this.main = main;
  }

  /** A program that runs, and where it listens. */
  record Running(ChildProcess process, String url) implements AutoCloseable {
    @Override
    public void close() {
      process.close();
    }
  }

  /**
   * Starts the service. It needs little of the machine, and does not compile what it runs as well
   * as it could: the gateway beside it needs the cores.
   */
  Running service(int port, Capacity capacity) throws Failure, InterruptedException {
    return start(
        "service",
        inThisClassPath("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"),
        List.of(
            "surge",
            "--service-only",
            "--until-input-ends",
            "--service-port",
            String.valueOf(port),
            "--capacity",
            String.valueOf(capacity.perSecond())),
        SERVICE);
  }

  /** Starts Weir's gateway in front of a service. */
  Running gateway(String upstream, Path rules) throws Failure, InterruptedException {
    return start(
        "gateway",
        gatewayJava(),
        List.of(
            "gateway",
            "--upstream",
            upstream,
            "--rules",
            rules.toString(),
            "--host",
            "127.0.0.1",
            "--port",
            "0",
            "--admin-port",
            "0"),
        GATEWAY);
  }

  /** Starts it as {@code ./weir gateway} does. */
  private List<String> gatewayJava() {
    String faster = System.getProperty(SERVICE_ARGUMENTS);
    return faster == null ? inThisClassPath("-XX:+UseG1GC") : List.of("@" + faster);
  }

  private List<String> inThisClassPath(String... options) {
    List<String> java = new ArrayList<>(List.of(options));
    java.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    return java;
  }

  private static Running start(
      String name, List<String> java, List<String> arguments, Pattern ready)
      throws Failure, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(java);
    command.addAll(arguments);
    ChildProcess process = ChildProcess.start(name, command, ready);
    try {
      return new Running(process, process.awaitReady(START));
    } catch (Failure | InterruptedException | RuntimeException e) {
      process.close();
      throw e;
    }
  }
}
