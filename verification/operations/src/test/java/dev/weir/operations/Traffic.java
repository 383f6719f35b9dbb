package dev.weir.operations;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Sends requests to servers in the background, ten times a second each. */
final class Traffic implements AutoCloseable {
  private static final long PERIOD_MILLIS = 100;

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(Traffic::daemon);
  private final List<Runnable> tasks = new CopyOnWriteArrayList<>();
  private final Map<String, AtomicLong> answers = new ConcurrentHashMap<>();

  Traffic() {
    var unused =
        timer.scheduleWithFixedDelay(
            () -> tasks.forEach(Runnable::run), 0, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
  }

  private static Thread daemon(Runnable task) {
    Thread thread = new Thread(task, "traffic");
    thread.setDaemon(true);
    return thread;
  }

  /** Does something ten times a second, from now on. */
  void add(Runnable task) {
    tasks.add(task);
  }

  /** Asks whether a request may pass. */
  void check(String address, String path, String user) {
    send(address, HttpRequest.newBuilder().header("X-User", user).GET(), "/v1/check" + path);
  }

  /** Sends JSON. */
  void post(String address, String path, String body) {
    send(
        address,
        HttpRequest.newBuilder()
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(body)),
        path);
  }

  private void send(String address, HttpRequest.Builder request, String path) {
    URI uri = URI.create("http://" + address + path);
    var unused =
        client
            .sendAsync(
                request.uri(uri).timeout(Duration.ofSeconds(10)).build(), BodyHandlers.discarding())
            .thenRun(
                () -> answers.computeIfAbsent(address, a -> new AtomicLong()).incrementAndGet());
  }

  /** How many requests a server has answered. */
  long answers(String address) {
    return answers.getOrDefault(address, new AtomicLong()).get();
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }
}
