package dev.weir.servlet;

import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** A server that listens, with a client of it. */
record RunningServer(int port, AutoCloseable end) implements AutoCloseable {
  private static final HttpClient CLIENT =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private static final Duration LIMIT = Duration.ofSeconds(60);

  HttpRequest.Builder request(String target) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + target)).timeout(LIMIT);
  }

  HttpResponse<String> get(String target, String... headers)
      throws IOException, InterruptedException {
    HttpRequest.Builder request = request(target);
    return CLIENT.send(
        headers.length == 0 ? request.build() : request.headers(headers).build(),
        HttpResponse.BodyHandlers.ofString());
  }

  int status(String target, String... headers) throws IOException, InterruptedException {
    return get(target, headers).statusCode();
  }

  /** Sends a request as it is written, and leaves the connection open. */
  Socket send(String host, String text) throws IOException {
    Socket socket = new Socket(host, port);
    socket.setSoTimeout((int) LIMIT.toMillis());
    socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
    socket.getOutputStream().flush();
    return socket;
  }

  /** The status of a request that is written by hand. */
  int rawStatus(String host, String text) throws IOException {
    try (Socket socket = send(host, text)) {
      byte[] line = socket.getInputStream().readNBytes("HTTP/1.1 200".length());
      return Integer.parseInt(new String(line, StandardCharsets.ISO_8859_1).substring(9));
    }
  }

  @Override
  public void close() {
    try {
      end.close();
    } catch (Exception e) {
      throw new IllegalStateException("the server did not stop", e);
    }
  }
}
