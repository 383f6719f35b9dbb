package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import java.io.InputStream;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Bodies are passed on as they come: events, gRPC, and bodies larger than memory. */
class StreamingTest {
  private static final int PART = 64 << 10;

  /** 256 MiB; the thorough profile sends 2 GiB. */
  private static final long LARGE = (Boolean.getBoolean("weir.thorough") ? 2_048L : 256L) << 20;

  private final Vertx vertx = Vertx.vertx();

  @AfterEach
  void close() {
    vertx.close().await();
  }

  private String serve(HttpServer server, java.util.function.Consumer<HttpServerRequest> handler) {
    int port = server.requestHandler(handler::accept).listen(0, "127.0.0.1").await().actualPort();
    return "http://127.0.0.1:" + port;
  }

  @Test
  void eventsArriveBeforeTheStreamEnds() throws Exception {
    CountDownLatch read = new CountDownLatch(1);
    try (ScriptedUpstream upstream =
            ScriptedUpstream.that(
                (request, socket) -> {
                  ScriptedUpstream.write(
                      socket,
                      "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
                          + "Transfer-Encoding: chunked\r\n\r\nc\r\ndata: first\n\r\n");
                  read.await();
                  ScriptedUpstream.write(socket, "d\r\ndata: second\n\r\n0\r\n\r\n");
                });
        TestGateway gateway = TestGateway.to(TestGateway.OPEN, upstream.url())) {
      HttpResponse<InputStream> response =
          gateway.client.send(
              gateway.request("/events").build(), HttpResponse.BodyHandlers.ofInputStream());
      assertThat(response.body().readNBytes(12)).asString().isEqualTo("data: first\n");
      read.countDown();
      assertThat(response.body().readAllBytes()).asString().isEqualTo("data: second\n");
    }
  }

  @Test
  void largeResponseIsNotBuffered() throws Exception {
    String upstream =
        serve(
            vertx.createHttpServer(),
            request -> {
              request.response().putHeader("Content-Length", Long.toString(LARGE));
              send(request, LARGE / PART);
            });
    try (TestGateway gateway = TestGateway.to(TestGateway.OPEN, upstream)) {
      HttpResponse<InputStream> response =
          gateway.client.send(
              gateway.request("/large").build(), HttpResponse.BodyHandlers.ofInputStream());
      assertThat(response.body().transferTo(java.io.OutputStream.nullOutputStream()))
          .isEqualTo(LARGE);
    }
  }

  /** Sends parts as fast as the other side takes them. */
  private static void send(HttpServerRequest request, long parts) {
    long left = parts;
    while (left > 0 && !request.response().writeQueueFull()) {
      var unused = request.response().write(Buffer.buffer(new byte[PART]));
      left--;
    }
    if (left == 0) {
      var unused = request.response().end();
    } else {
      long rest = left;
      request.response().drainHandler(drained -> send(request, rest));
    }
  }

  @Test
  void largeRequestIsNotBuffered() throws Exception {
    String upstream =
        serve(
            vertx.createHttpServer(),
            request -> {
              long[] bytes = new long[1];
              request.handler(part -> bytes[0] += part.length());
              request.endHandler(end -> request.response().end(Long.toString(bytes[0])));
            });
    try (TestGateway gateway = TestGateway.to(TestGateway.OPEN, upstream)) {
      HttpResponse<String> response =
          gateway.send(
              gateway.request("/large").POST(BodyPublishers.ofInputStream(() -> new Zeros(LARGE))));
      assertThat(response.body()).isEqualTo(Long.toString(LARGE));
    }
  }

  /** Any number of zeros. */
  private static final class Zeros extends InputStream {
    private long left;

    Zeros(long bytes) {
      left = bytes;
    }

    @Override
    public int read() {
      return left-- > 0 ? 0 : -1;
    }

    @Override
    public int read(byte[] into, int from, int length) {
      int bytes = (int) Math.min(left, length);
      left -= bytes;
      return bytes == 0 ? -1 : bytes;
    }
  }

  /** What gRPC needs: HTTP/2 on both sides, trailers, and parts in both directions at once. */
  @Test
  void grpcPassesWithItsTrailers() {
    String upstream =
        serve(
            vertx.createHttpServer(),
            request -> {
              request.response().setChunked(true);
              request.response().putHeader("content-type", "application/grpc");
              request.handler(part -> request.response().write(part));
              request.endHandler(
                  end -> {
                    request.response().putTrailer("grpc-status", "0");
                    request.response().putTrailer("te-seen", request.getHeader("te"));
                    request.response().end();
                  });
            });
    String rules =
        "upstreams: {up: {servers: [\"" + upstream + "\"], protocol: http2}}\n" + TestGateway.OPEN;
    try (TestGateway gateway = TestGateway.configured(rules)) {
      HttpClientRequest call =
          vertx
              .createHttpClient(
                  new HttpClientOptions()
                      .setProtocolVersion(HttpVersion.HTTP_2)
                      .setHttp2ClearTextUpgrade(false))
              .request(HttpMethod.POST, gateway.port(), "127.0.0.1", "/pkg.Service/Method")
              .await();
      call.setChunked(true);
      call.putHeader("content-type", "application/grpc").putHeader("te", "trailers");
      // The body must be asked for on the event loop, before its first part can arrive.
      Future<Buffer> body = call.response().compose(HttpClientResponse::body);
      call.write(Buffer.buffer("ping")).await();
      HttpClientResponse response = call.response().await();
      call.end(Buffer.buffer("pong")).await();
      assertThat(body.await().toString()).isEqualTo("pingpong");
      assertThat(response.trailers().get("grpc-status")).isEqualTo("0");
      assertThat(response.trailers().get("te-seen")).isEqualTo("trailers");
      assertThat(response.version()).isEqualTo(HttpVersion.HTTP_2);
    }
  }
}
