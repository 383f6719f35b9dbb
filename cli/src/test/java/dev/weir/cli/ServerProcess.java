package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.Programs;
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

/**
 * A {@code weir serve} or {@code weir gateway} in a separate JVM, on free ports unless stated
 * otherwise.
 */
public final class ServerProcess implements AutoCloseable {
  private static final Pattern TRAFFIC = Pattern.compile("try:  curl -i (http://[0-9.:]+)/");
  private static final Pattern GRPC =
      Pattern.compile("Envoy's rate limit service on [0-9.]+:([0-9]+)");
  private static final Pattern ADMIN =
      Pattern.compile("metrics and administration on (http://[0-9.:]+)");
  private static final long START_SECONDS = 90; // test machines are busy
  private static final HttpClient CLIENT =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private static final Path WORKING_DIRECTORY = Path.of("").toAbsolutePath();

  private final Script.Started started;
  private String url = "";

  private ServerProcess(Script.Started started) {
    this.started = started;
  }

  /** Starts a server, and does not wait until it is ready. */
  public static ServerProcess start(Map<String, String> environment, Object... flags)
      throws IOException {
    return startWithFlags(environment, withPorts(0, 0, flags));
  }

  /** Starts a server with a given traffic port. */
  public static ServerProcess onPort(int port, Object... flags) throws IOException {
    return startWithFlags(Map.of(), withPorts(port, 0, flags));
  }

  /** Starts a server with Java's default compiler and collector, which start more slowly. */
  public static ServerProcess withDefaultJvm(int port, int grpcPort, Object... flags)
      throws IOException {
    List<Object> words = JavaCommand.of(List.of(), Main.class, "serve");
    words.addAll(List.of(withPorts(port, grpcPort, flags)));
    return run(Map.of(), words);
  }

  /** Starts a server with a limited number of file descriptors, and options for Java. */
  public static ServerProcess confined(int descriptors, List<String> options, Object... flags)
      throws IOException {
    List<Object> words = new ArrayList<>();
    String script = "ulimit -n " + descriptors + " && exec \"$@\"";
    words.addAll(List.of("bash", "-c", script, "bash"));
    words.addAll(JavaCommand.of(options, Main.class, "serve"));
    words.addAll(List.of(withPorts(0, 0, flags)));
    return new ServerProcess(Script.start(WORKING_DIRECTORY, Map.of(), words.toArray()));
  }

  private static Object[] withPorts(int port, int grpcPort, Object... flags) {
    List<Object> words = new ArrayList<>(List.of("--host", "127.0.0.1"));
    words.addAll(List.of("--port", port, "--grpc-port", grpcPort, "--admin-port", "0"));
    words.addAll(List.of(flags));
    return words.toArray();
  }

  /** Starts a server with exactly these flags, so that its ports are not free ones by default. */
  public static ServerProcess startWithFlags(Map<String, String> environment, Object... flags)
      throws IOException {
    return run(environment, JavaCommand.fast(Main.class, "serve", flags));
  }

  /** Starts a {@code weir gateway} on free ports, and does not wait until it is ready. */
  public static ServerProcess gateway(Object... flags) throws IOException {
    List<Object> words =
        new ArrayList<>(List.of("--host", "127.0.0.1", "--port", "0", "--admin-port", "0"));
    words.addAll(List.of(flags));
    return run(Map.of(), JavaCommand.fast(Main.class, "gateway", words.toArray()));
  }

  /** Starts a server that handles SIGINT, even if this process, a background job, ignores it. */
  public static ServerProcess interruptible(Object... flags) throws IOException {
    List<Object> words = new ArrayList<>();
    if (Signals.isIgnored(Signals.INT)) {
      words.addAll(List.of(Programs.require("perl"), "-e", "$SIG{INT} = 'DEFAULT'; exec @ARGV"));
    }
    words.addAll(JavaCommand.fast(Main.class, "serve", withPorts(0, 0, flags)));
    return new ServerProcess(Script.start(WORKING_DIRECTORY, Map.of(), words.toArray()));
  }

  /** Starts a server that drains until {@link #endDrain}. */
  public static ServerProcess drainingUntilInputEnds(Object... flags) throws IOException {
    List<Object> words = JavaCommand.fast(InterruptibleMain.class, "serve", withPorts(0, 0, flags));
    words.addAll(List.of("--drain-seconds", "3600"));
    return new ServerProcess(Script.startPiped(WORKING_DIRECTORY, Map.of(), words.toArray()));
  }

  private static ServerProcess run(Map<String, String> environment, List<Object> words)
      throws IOException {
    return new ServerProcess(Script.start(WORKING_DIRECTORY, environment, words.toArray()));
  }

  /** Waits until the server is ready. */
  public ServerProcess awaitReady() throws Exception {
    Matcher found = TRAFFIC.matcher("");
    awaitUntil(() -> found.reset(output()).find());
    url = found.group(1);
    return this;
  }

  /** The traffic port of a ready server. */
  public int port() {
    return URI.create(url).getPort();
  }

  /** The gRPC port of a ready server. */
  public int grpcPort() throws IOException {
    Matcher found = GRPC.matcher(output());
    assertThat(found.find()).isTrue();
    return Integer.parseInt(found.group(1));
  }

  /** The URL of the traffic port. */
  public String url() {
    return url;
  }

  /** Whether the process is alive. */
  public boolean isAlive() {
    return started.process().isAlive();
  }

  /** The process ID. */
  public long pid() {
    return started.process().pid();
  }

  /** The output so far, standard output first. */
  public String output() throws IOException {
    return Files.readString(started.out()) + Files.readString(started.err());
  }

  /** The output with a thread dump, to find out why a server does not answer. */
  public String threads() throws Exception {
    new ProcessBuilder("sh", "-c", "kill -QUIT " + pid()).start().waitFor();
    for (int i = 0; i < 250 && !output().contains("JNI global refs"); i++) {
      Thread.sleep(20); // the JVM writes the dump later, if at all
    }
    return output();
  }

  /** Waits until the output contains a text. */
  public void awaitOutput(String text) throws Exception {
    awaitUntil(() -> output().contains(text));
  }

  /** Waits until a port accepts connections, which is before the server is ready. */
  public void awaitListening(int port) throws Exception {
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
      assertThat(started.process().isAlive()).as(output()).isTrue();
      assertThat(System.nanoTime() - start)
          .as(output())
          .isLessThan(TimeUnit.SECONDS.toNanos(START_SECONDS));
      Thread.sleep(20);
    }
  }

  /** Sends a GET request to the traffic port. */
  public HttpResponse<String> get(String path) throws Exception {
    return fetch(url + path);
  }

  /** Sends a GET request to the administration port. */
  public HttpResponse<String> admin(String path) throws Exception {
    return fetch(adminUrl() + path);
  }

  /** The URL of the administration port of a ready server. */
  public String adminUrl() throws IOException {
    Matcher found = ADMIN.matcher(Files.readString(started.out()));
    assertThat(found.find()).isTrue();
    return found.group(1);
  }

  /** Sends a GET request to a URL. */
  public static HttpResponse<String> fetch(String url) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(url)).timeout(Duration.ofSeconds(60)).build();
    return CLIENT.send(request, BodyHandlers.ofString());
  }

  /** Sends a POST request with a JSON body to the traffic port. */
  public HttpResponse<String> post(String path, String body) throws Exception {
    return send("POST", url + path, body);
  }

  /** Sends a request with a JSON body to a URL. */
  public static HttpResponse<String> send(String method, String url, String body) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(url))
            .timeout(Duration.ofSeconds(60))
            .header("Content-Type", "application/json")
            .method(method, BodyPublishers.ofString(body))
            .build();
    return CLIENT.send(request, BodyHandlers.ofString());
  }

  /** Waits until the process exits by itself, and returns its result. */
  public CommandRun awaitExit() throws Exception {
    return started.awaitExit();
  }

  /** Sends SIGTERM. */
  public void stop() {
    started.process().toHandle().destroy(); // Process.destroy would close its input as well
  }

  /** Sends SIGKILL, and waits until the process is gone. */
  public void kill() throws InterruptedException {
    assertThat(started.process().destroyForcibly().waitFor(60, TimeUnit.SECONDS)).isTrue();
  }

  /** Ends the drain of a server that was started by {@link #drainingUntilInputEnds}. */
  public void endDrain() throws IOException {
    started.process().getOutputStream().close();
  }

  /** Sends SIGTERM, waits until the process exits, and returns its result. */
  public CommandRun stopAndAwaitExit() throws Exception {
    stop();
    return started.awaitExit();
  }

  /** Checks a path with an {@code X-User} header, and returns the status. */
  public int check(String path, String user) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(url + "/v1/check" + path))
            .timeout(Duration.ofSeconds(60))
            .header("X-User", user)
            .build();
    return CLIENT.send(request, BodyHandlers.ofString()).statusCode();
  }

  /** Checks a path, and returns the status. */
  public int check(String path) throws Exception {
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
