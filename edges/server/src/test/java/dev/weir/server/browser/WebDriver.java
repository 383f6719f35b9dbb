package dev.weir.server.browser;

import io.vertx.core.json.JsonObject;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A chromedriver process, and the commands of the W3C's WebDriver protocol. For one thread. */
final class WebDriver implements AutoCloseable {
  private static final Pattern PORT = Pattern.compile("started successfully on port (\\d+)");
  private static final Duration TIMEOUT = Duration.ofMinutes(2);

  /** What it says if the port that it chose is free for IPv6 alone. */
  private static final String PORT_TAKEN = "Address already in use";

  private static final int MAX_STARTS = 10;

  private final Process process;
  private final HttpClient client = HttpClient.newHttpClient();
  private final String root;

  WebDriver(Path program) {
    try {
      Process started = start(program);
      Optional<String> port = port(started);
      for (int i = 1; port.isEmpty() && i < MAX_STARTS; i++) {
        started = start(program);
        port = port(started);
      }
      process = started;
      root = "http://127.0.0.1:" + port.orElseThrow(() -> new IOException(PORT_TAKEN));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Process start(Path program) throws IOException {
    return new ProcessBuilder(program.toString(), "--port=0").redirectErrorStream(true).start();
  }

  /** The port that a driver has chosen; empty if another process was there first. */
  private static Optional<String> port(Process process) throws IOException {
    BufferedReader output =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    StringBuilder seen = new StringBuilder();
    for (String line = output.readLine(); line != null; line = output.readLine()) {
      seen.append(line).append('\n');
      Matcher matcher = PORT.matcher(line);
      if (matcher.find()) {
        Thread rest = new Thread(() -> output.lines().forEach(ignored -> {}), "chromedriver");
        rest.setDaemon(true);
        rest.start();
        return Optional.of(matcher.group(1));
      }
    }
    if (seen.indexOf(PORT_TAKEN) >= 0) {
      return Optional.empty();
    }
    throw new IOException("chromedriver has ended: " + seen);
  }

  /** Sends a command, and returns its value. */
  @Nullable Object send(String method, String path, JsonObject body) {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(root + path))
            .timeout(TIMEOUT)
            .header("Content-Type", "application/json; charset=utf-8")
            .method(
                method,
                method.equals("POST")
                    ? BodyPublishers.ofString(body.encode())
                    : BodyPublishers.noBody())
            .build();
    try {
      HttpResponse<String> response = client.send(request, BodyHandlers.ofString());
      Object value = new JsonObject(response.body()).getValue("value");
      if (response.statusCode() != 200) {
        throw new IllegalStateException(method + " " + path + ": " + value);
      }
      return value;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    process.descendants().forEach(ProcessHandle::destroy);
    process.destroy();
    try {
      if (!process.waitFor(10, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
