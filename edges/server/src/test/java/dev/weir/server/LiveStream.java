package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;

/** A page that reads the events of a server. */
final class LiveStream implements AutoCloseable {
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  final HttpResponse<InputStream> response;
  final BufferedReader lines;

  LiveStream(TestServer served, String... headers) throws IOException, InterruptedException {
    URI uri = URI.create("http://127.0.0.1:" + served.server.adminPort() + "/live");
    HttpRequest.Builder request = HttpRequest.newBuilder(uri);
    if (headers.length > 0) {
      request.headers(headers);
    }
    this.response = client.send(request.build(), BodyHandlers.ofInputStream());
    this.lines = new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8));
  }

  /** The data of the next event of a kind. */
  JsonObject next(String kind) throws IOException {
    while (true) {
      String line = lines.readLine();
      assertThat(line).as("the stream goes on").isNotNull();
      if (line.equals("event: " + kind)) {
        return new JsonObject(lines.readLine().substring("data: ".length()));
      }
    }
  }

  @Override
  public void close() throws IOException {
    response.body().close();
  }
}
