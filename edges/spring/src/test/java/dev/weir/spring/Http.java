package dev.weir.spring;

import dev.weir.spring.Apps.Running;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
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
    return client.send(request.build(), BodyHandlers.ofString());
  }

  CompletableFuture<HttpResponse<String>> getAsync(Running app, String path) {
    return client.sendAsync(
        HttpRequest.newBuilder(uri(app, path)).build(), BodyHandlers.ofString());
  }

  HttpResponse<String> delete(Running app, String path) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(uri(app, path)).timeout(Duration.ofSeconds(60)).DELETE().build();
    return client.send(request, BodyHandlers.ofString());
  }

  private static URI uri(Running app, String path) {
    return URI.create("http://localhost:" + app.port() + path);
  }
}
