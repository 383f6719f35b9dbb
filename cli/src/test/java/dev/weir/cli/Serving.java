package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.Programs;
import java.io.File;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A {@code weir serve} in a JVM of its own, on free ports. */
final class Serving implements AutoCloseable {
  private static final Pattern TRAFFIC = Pattern.compile("try:  curl -i (http://[0-9.:]+)/");
  private static final Pattern GRPC =
      Pattern.compile("Envoy's rate limit service on [0-9.]+:([0-9]+)");
  private static final Pattern ADMIN =
      Pattern.compile("metrics and administration on (http://[0-9.:]+)");
  private static final long START_SECONDS = 90; // machines of tests are busy
  private static final HttpClient CLIENT =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private static final Path HERE = Path.of("").toAbsolutePath();

  /** They start sooner with these. */
  private static final List<String> QUICK = List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

  private final Script.Started started;
  private String url = "";

  private Serving(Script.Started started) {
    this.started = started;
  }

  /** Starts one, and does not wait until it is ready. */
  static Serving start(Map<String, String> environment, Object... flags) throws IOException {
    return bare(environment, on(0, 0, flags));
  }

  /** The same with a port for traffic that is known before it says so. */
  static Serving at(int port, Object... flags) throws IOException {
    return bare(Map.of(), on(port, 0, flags));
  }

  /** The same with the compiler and the collector that users have, which start more slowly. */
  static Serving asUsersDo(int port, int grpcPort, Object... flags) throws IOException {
    return java(Map.of(), List.of(), on(port, grpcPort, flags));
  }

  /** The same with so many file descriptors, and options for Java. */
  static Serving confined(int descriptors, List<String> options, Object... flags)
      throws IOException {
    List<Object> words = new ArrayList<>();
    String script = "ulimit -n " + descriptors + " && exec \"$@\"";
    words.addAll(List.of("bash", "-c", script, "bash"));
    words.add(Path.of(System.getProperty("java.home"), "bin", "java"));
    words.addAll(options);
    words.addAll(List.of("-cp", classPath(), Main.class.getName()));
    words.add("serve");
    words.addAll(List.of(on(0, 0, flags)));
    return new Serving(Script.start(Path.of("").toAbsolutePath(), Map.of(), words.toArray()));
  }

  private static Object[] on(int port, int grpcPort, Object... flags) {
    List<Object> words = new ArrayList<>(List.of("--host", "127.0.0.1"));
    words.addAll(List.of("--port", port, "--grpc-port", grpcPort, "--admin-port", "0"));
    words.addAll(List.of(flags));
    return words.toArray();
  }

  /** The same with no other flags than these. */
  static Serving bare(Map<String, String> environment, Object... flags) throws IOException {
    return java(environment, QUICK, flags);
  }

  /** The same where SIGINT counts, also if it is ignored here, as in the background of a shell. */
  static Serving interruptible(Object... flags) throws IOException {
    List<Object> words = new ArrayList<>();
    if (Signals.isIgnored(Signals.INT)) {
      words.addAll(List.of(Programs.require("perl"), "-e", "$SIG{INT} = 'DEFAULT'; exec @ARGV"));
    }
    words.addAll(command(QUICK, Main.class, on(0, 0, flags)));
    return new Serving(Script.start(HERE, Map.of(), words.toArray()));
  }

  /** The same, of which {@link #endDrain} ends the time for which it goes on answering. */
  static Serving drainingUntilTold(Object... flags) throws IOException {
    List<Object> words = command(QUICK, EndedDrain.class, on(0, 0, flags));
    words.addAll(List.of("--drain-seconds", "3600"));
    return new Serving(Script.startPiped(HERE, Map.of(), words.toArray()));
  }

  private static Serving java(
      Map<String, String> environment, List<String> options, Object... flags) throws IOException {
    Object[] words = command(options, Main.class, flags).toArray();
    return new Serving(Script.start(HERE, environment, words));
  }

  private static List<Object> command(List<String> options, Class<?> main, Object... flags) {
    List<Object> words = new ArrayList<>();
    words.add(Path.of(System.getProperty("java.home"), "bin", "java"));
    words.addAll(options);
    words.addAll(List.of("-cp", classPath(), main.getName(), "serve"));
    words.addAll(List.of(flags));
    return words;
  }

  /** That of the tests, but without a logging library of theirs, which the program has not. */
  private static String classPath() {
    return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(entry -> !Path.of(entry).getFileName().toString().startsWith("slf4j-"))
        .collect(Collectors.joining(File.pathSeparator));
  }

  Serving ready() throws Exception {
    Matcher told = TRAFFIC.matcher("");
    awaitUntil(() -> told.reset(said()).find());
    url = told.group(1);
    return this;
  }

  /** The port for traffic, once it is ready. */
  int port() {
    return URI.create(url).getPort();
  }

  /** The port for gRPC, once it is ready. */
  int grpcPort() throws IOException {
    Matcher told = GRPC.matcher(said());
    assertThat(told.find()).isTrue();
    return Integer.parseInt(told.group(1));
  }

  /** Where it takes traffic. */
  String url() {
    return url;
  }

  boolean isAlive() {
    return started.process().isAlive();
  }

  long pid() {
    return started.process().pid();
  }

  /** What it has written so far, for people and about trouble. */
  String said() throws IOException {
    return Files.readString(started.out()) + Files.readString(started.err());
  }

  /** The same with what its threads are doing, for whoever wonders why it does not answer. */
  String threads() throws Exception {
    new ProcessBuilder("sh", "-c", "kill -QUIT " + pid()).start().waitFor();
    for (int i = 0; i < 250 && !said().contains("JNI global refs"); i++) {
      Thread.sleep(20); // it writes when it gets to it, if at all
    }
    return said();
  }

  void awaitSaid(String text) throws Exception {
    awaitUntil(() -> said().contains(text));
  }

  /** Waits until it can be connected to, which is before it is ready. */
  void awaitListening(int port) throws Exception {
    awaitUntil(
        () -> {
          try {
            new Socket(InetAddress.getLoopbackAddress(), port).close();
            return true;
          } catch (ConnectException e) {
            return false;
          }
        });
  }

  private interface Condition {
    boolean holds() throws IOException;
  }

  private void awaitUntil(Condition condition) throws Exception {
    long start = System.nanoTime();
    while (!condition.holds()) {
      assertThat(started.process().isAlive()).as(said()).isTrue();
      assertThat(System.nanoTime() - start)
          .as(said())
          .isLessThan(TimeUnit.SECONDS.toNanos(START_SECONDS));
      Thread.sleep(20);
    }
  }

  HttpResponse<String> get(String path) throws Exception {
    return fetch(url + path);
  }

  /** From the port for administration. */
  HttpResponse<String> admin(String path) throws Exception {
    Matcher told = ADMIN.matcher(Files.readString(started.out()));
    assertThat(told.find()).isTrue();
    return fetch(told.group(1) + path);
  }

  static HttpResponse<String> fetch(String url) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(url)).timeout(Duration.ofSeconds(60)).build();
    return CLIENT.send(request, BodyHandlers.ofString());
  }

  HttpResponse<String> post(String path, String body) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(url + path))
            .timeout(Duration.ofSeconds(60))
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(body))
            .build();
    return CLIENT.send(request, BodyHandlers.ofString());
  }

  /** What came of it, once it has ended by itself. */
  Ran ran() throws Exception {
    return started.ran();
  }

  /** Tells it to stop, as a system does that is shut down. */
  void stop() {
    started.process().toHandle().destroy(); // the process itself would close its input, too
  }

  /** Ends the time for which it goes on answering, if it was started to be told. */
  void endDrain() throws IOException {
    started.process().getOutputStream().close();
  }

  /** What came of it, once it has been told. */
  Ran stopped() throws Exception {
    stop();
    return started.ran();
  }

  /** The same as a user. */
  int check(String path, String user) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(url + "/v1/check" + path))
            .timeout(Duration.ofSeconds(60))
            .header("X-User", user)
            .build();
    return CLIENT.send(request, BodyHandlers.ofString()).statusCode();
  }

  int check(String path) throws Exception {
    return get("/v1/check" + path).statusCode();
  }

  @Override
  public void close() throws IOException {
    stop();
    try {
      if (!started.process().waitFor(20, TimeUnit.SECONDS)) {
        started.process().destroyForcibly();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    Files.deleteIfExists(started.out());
    Files.deleteIfExists(started.err());
  }
}
