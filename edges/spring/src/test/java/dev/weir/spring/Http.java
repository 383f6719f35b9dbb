package dev.weir.spring;

import dev.weir.spring.Apps.Running;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Sends requests to applications. */
final class Http {
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  HttpResponse<String> get(Running app, String path, String... headers)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(uri(app, path)).timeout(Duration.ofSeconds(60));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return send(request.build());
  }

  CompletableFuture<HttpResponse<String>> getAsync(Running app, String path) {
    return client.sendAsync(
        HttpRequest.newBuilder(uri(app, path)).build(), BodyHandlers.ofString());
  }

  HttpResponse<String> delete(Running app, String path) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(uri(app, path)).timeout(Duration.ofSeconds(60)).DELETE().build();
    return send(request);
  }

  /** Sends a request; if there is no answer in time, the error says what every thread did then. */
  private HttpResponse<String> send(HttpRequest request) throws IOException, InterruptedException {
    try {
      return client.send(request, BodyHandlers.ofString());
    } catch (HttpTimeoutException e) {
      StringBuilder threads = new StringBuilder();
      Thread.getAllStackTraces()
          .forEach(
              (thread, frames) ->
                  threads.append(thread).append("\n  ").append(List.of(frames)).append('\n'));
      throw new AssertionError("no answer to " + request + "; threads:\n" + threads, e);
    }
  }

  private static URI uri(Running app, String path) {
    return URI.create("http://localhost:" + app.port() + path);
  }
}
