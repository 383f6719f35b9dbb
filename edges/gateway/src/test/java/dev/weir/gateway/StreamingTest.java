package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import java.io.InputStream;
import java.net.http.HttpResponse;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Bodies are passed on as they come: events and gRPC. */
class StreamingTest {
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
      // A local variable, since Vert.x closes clients that are no longer referenced.
      HttpClient client =
          vertx.createHttpClient(
              new HttpClientOptions()
                  .setProtocolVersion(HttpVersion.HTTP_2)
                  .setHttp2ClearTextUpgrade(false));
      HttpClientRequest call =
          client
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
      client.close().await();
    }
  }
}
