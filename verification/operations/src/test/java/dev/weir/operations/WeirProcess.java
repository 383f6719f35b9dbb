package dev.weir.operations;

import dev.weir.cli.Main;
import dev.weir.testkit.redis.Await;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A {@code weir serve} in a process of its own, on free ports. */
final class WeirProcess implements AutoCloseable {
  private static final Pattern TRAFFIC = Pattern.compile("traffic on http://(127[0-9.:]+)");
  private static final Pattern ADMIN = Pattern.compile("administration on http://(127[0-9.:]+)");
  private static final Duration START = Duration.ofSeconds(90); // test machines are busy

  private final ChildProcess process;

  private WeirProcess(ChildProcess process) {
    this.process = process;
  }

  /** Starts a server, and does not wait until it is ready. */
  static WeirProcess start(Path log, String... flags) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx64m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    command.addAll(List.of("-cp", classPath(), Main.class.getName(), "serve"));
    command.addAll(List.of("--port", "0", "--grpc-port", "-1", "--admin-port", "0"));
    command.addAll(List.of("--warm-up-seconds", "0"));
    command.addAll(List.of(flags));
    return new WeirProcess(ChildProcess.start(log, command));
  }

  /** The class path of the tests without SLF4J, which the program does not have. */
  private static String classPath() {
    return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
        .filter(entry -> !Path.of(entry).getFileName().toString().startsWith("slf4j-"))
        .collect(Collectors.joining(File.pathSeparator));
  }

  /** Waits until the server is ready. */
  WeirProcess awaitReady() {
    Await.until("ready server", START, () -> ADMIN.matcher(output()).find());
    return this;
  }

  /** The address of the traffic port of a ready server. */
  String traffic() {
    return address(TRAFFIC);
  }

  /** The address of the administration port of a ready server. */
  String admin() {
    return address(ADMIN);
  }

  private String address(Pattern line) {
    Matcher found = line.matcher(output());
    if (!found.find()) {
      throw new IllegalStateException(output());
    }
    return found.group(1);
  }

  /** The log so far. */
  String output() {
    if (!process.isAlive()) {
      throw new IllegalStateException("has ended");
    }
    try {
      return process.output();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    process.close();
  }
}
