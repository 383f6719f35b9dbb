package dev.weir.benchmarks.callers;

import dev.weir.benchmarks.harness.Report;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * Opens the dashboard once a second while a server is under load, and takes the time of each
 * answer: of the page, of the first event with the whole history, and of the lists of callers.
 */
final class PageClock implements AutoCloseable {
  private static final String LIVE = "/live";
  private static final List<String> PATHS =
      List.of("/", LIVE, "/callers", "/callers?kind=allowed&window=hour");
  private static final long PERIOD_MILLIS = 1_000;
  private static final int TIMEOUT_MILLIS = 10_000;

  private final String root;
  private final Map<String, List<Long>> nanos = new LinkedHashMap<>();
  private final CompletableFuture<Void> ended = new CompletableFuture<>();
  private volatile boolean done;

  private PageClock(int adminPort) {
    this.root = "http://127.0.0.1:" + adminPort;
    PATHS.forEach(path -> nanos.put(path, new ArrayList<>()));
  }

  /** The times of answers, the shortest first. */
  record Times(Map<String, List<Long>> nanos) {
    double maxMillis() {
      return nanos.values().stream().mapToDouble(all -> millis(all, 100)).max().orElseThrow();
    }

    private static double millis(List<Long> sorted, int percent) {
      return sorted.get(Math.min(sorted.size() - 1, sorted.size() * percent / 100)) / 1e6;
    }

    void describe(Report report) {
      report.line("");
      report.line("| answer | times | p50 ms | p99 ms | max ms |");
      report.line("|---|---|---|---|---|");
      nanos.forEach(
          (path, all) ->
              report.line(
                  String.format(
                      Locale.ROOT,
                      "| `GET %s`%s | %d | %.1f | %.1f | %.1f |",
                      path,
                      path.equals(LIVE) ? ", first event" : "",
                      all.size(),
                      millis(all, 50),
                      millis(all, 99),
                      millis(all, 100))));
      report.line("");
    }
  }

  /** Begins at once. */
  static PageClock start(int adminPort) {
    PageClock clock = new PageClock(adminPort);
    Thread thread = new Thread(clock::run, "page-clock");
    thread.setDaemon(true);
    thread.start();
    return clock;
  }

  private void run() {
    try {
      while (!done) {
        long next = System.nanoTime() + PERIOD_MILLIS * 1_000_000;
        for (String path : PATHS) {
          long start = System.nanoTime();
          read(path);
          Objects.requireNonNull(nanos.get(path)).add(System.nanoTime() - start);
        }
        Thread.sleep(Math.max(0, (next - System.nanoTime()) / 1_000_000));
      }
      ended.complete(null);
    } catch (IOException | RuntimeException e) {
      ended.completeExceptionally(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Reads an answer to its end, that of a stream to the end of its first event. */
  private void read(String path) throws IOException {
    HttpURLConnection connection =
        (HttpURLConnection) URI.create(root + path).toURL().openConnection();
    connection.setReadTimeout(TIMEOUT_MILLIS);
    connection.setRequestProperty("Accept", path.equals("/") ? "text/html" : "*/*");
    try (InputStream body = connection.getInputStream()) {
      if (path.equals(LIVE)) {
        BufferedReader lines =
            new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8));
        String line = lines.readLine();
        while (line != null && !line.isEmpty()) {
          line = lines.readLine();
        }
        connection.disconnect();
      } else {
        body.readAllBytes();
      }
    }
  }

  /** Ends it, and returns what was measured. */
  Times times() {
    done = true;
    try {
      ended.join();
    } catch (CompletionException e) {
      throw new IllegalStateException("the dashboard does not answer", e.getCause());
    }
    nanos.values().forEach(Collections::sort);
    return new Times(nanos);
  }

  @Override
  public void close() {
    done = true;
  }
}
