package dev.weir.benchmarks.http;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * An open dashboard, as far as the server notices: it reads the events of {@code /live}, and every
 * two seconds asks for the actions in force and, as after a click on another list, for the callers.
 *
 * <p>It ends with its process.
 */
final class Page {
  private static final long POLL_MILLIS = 2_000;
  private static final int TIMEOUT_MILLIS = 10_000;

  private final String root;
  private final AtomicInteger events = new AtomicInteger();
  private final AtomicInteger polls = new AtomicInteger();

  private Page(int adminPort) {
    this.root = "http://127.0.0.1:" + adminPort;
  }

  /** Opens the page at the administration port of a server. */
  static Page open(int adminPort) {
    Page page = new Page(adminPort);
    begin(page::follow);
    begin(page::poll);
    return page;
  }

  /** What a page has read: the number of events, and of answers to its other requests. */
  boolean isServed() {
    return events.get() > 0 && polls.get() > 0;
  }

  private static void begin(Runnable task) {
    Thread thread = new Thread(task, "page");
    thread.setDaemon(true);
    thread.start();
  }

  private void follow() {
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(get("/live").getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.startsWith("event: ")) {
          events.incrementAndGet();
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void poll() {
    try {
      while (true) {
        read("/actions");
        read("/callers?kind=allowed&window=minute");
        polls.incrementAndGet();
        Thread.sleep(POLL_MILLIS);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void read(String path) throws IOException {
    try (InputStream body = get(path).getInputStream()) {
      body.readAllBytes();
    }
  }

  private HttpURLConnection get(String path) throws IOException {
    HttpURLConnection connection =
        (HttpURLConnection) URI.create(root + path).toURL().openConnection();
    connection.setReadTimeout(TIMEOUT_MILLIS);
    return connection;
  }
}
