package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
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

/** A {@code weir serve} in a JVM of its own, on free ports. */
final class Serving implements AutoCloseable {
  private static final Pattern TRAFFIC = Pattern.compile("try:  curl -i (http://[0-9.:]+)/");
  private static final long START_SECONDS = 90; // machines of tests are busy
  private static final HttpClient CLIENT =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private final Script.Started started;
  private String url = "";

  private Serving(Script.Started started) {
    this.started = started;
  }

  /** Starts one, and does not wait until it is ready. */
  static Serving start(Map<String, String> environment, Object... flags) throws IOException {
    List<Object> words = new ArrayList<>(List.of("--host", "127.0.0.1"));
    words.addAll(List.of("--port", "0", "--grpc-port", "0", "--admin-port", "0"));
    words.addAll(List.of(flags));
    return bare(environment, words.toArray());
  }

  /** The same with no other flags than these. */
  static Serving bare(Map<String, String> environment, Object... flags) throws IOException {
    List<Object> words = new ArrayList<>();
    words.add(Path.of(System.getProperty("java.home"), "bin", "java"));
    words.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    words.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
    words.add("serve");
    words.addAll(List.of(flags));
    return new Serving(Script.start(Path.of("").toAbsolutePath(), environment, words.toArray()));
  }

  Serving ready() throws Exception {
    Matcher told = TRAFFIC.matcher("");
    awaitUntil(() -> told.reset(Files.readString(started.out())).find());
    url = told.group(1);
    return this;
  }

  /** What it has written so far, for people and about trouble. */
  String said() throws IOException {
    return Files.readString(started.out()) + Files.readString(started.err());
  }

  void awaitSaid(String text) throws Exception {
    awaitUntil(() -> said().contains(text));
  }

  private interface Condition {
    boolean holds() throws IOException;
  }

  private void awaitUntil(Condition condition) throws Exception {
    long start = System.nanoTime();
    while (!condition.holds()) {
      assertThat(started.process().isAlive()).as(said()).isTrue();
      assertThat(System.nanoTime() - start).isLessThan(TimeUnit.SECONDS.toNanos(START_SECONDS));
      Thread.sleep(20);
    }
  }

  HttpResponse<String> get(String path) throws Exception {
    return fetch(url + path);
  }

  static HttpResponse<String> fetch(String url) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(url)).timeout(Duration.ofSeconds(20)).build();
    return CLIENT.send(request, BodyHandlers.ofString());
  }

  HttpResponse<String> post(String path, String body) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(url + path))
            .timeout(Duration.ofSeconds(20))
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
    started.process().destroy();
  }

  /** What came of it, once it has been told. */
  Ran stopped() throws Exception {
    stop();
    return started.ran();
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
