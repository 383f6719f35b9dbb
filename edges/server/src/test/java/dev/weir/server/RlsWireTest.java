package dev.weir.server;

import static dev.weir.rules.domain.TestDomains.at;
import static dev.weir.server.RlsClient.about;
import static dev.weir.server.RlsClient.codes;
import static dev.weir.server.RlsClient.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.memory.MemoryStore;
import dev.weir.rules.domain.DomainBook;
import dev.weir.rules.domain.TestDomains;
import dev.weir.rules.domain.Unit;
import dev.weir.server.settings.ServerSettings;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.Code;
import io.grpc.Status;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.http.StreamResetException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Malformed or incomplete calls get a proper status. */
@Timeout(300)
class RlsWireTest {
  private static final String PATH = "/envoy.service.ratelimit.v3.RateLimitService/ShouldRateLimit";
  private static final DomainBook DOMAINS =
      TestDomains.book("shop", at("one").per(1, Unit.DAY), at("many").per(9, Unit.DAY));
  private static final Duration SHORT = Duration.ofMillis(800);

  private final TestServer served = served(ServerSettings.DEFAULT);
  private final RlsClient client = new RlsClient(served.server.grpcPort());
  private final Vertx vertx = Vertx.vertx();
  private final HttpClient http =
      vertx.createHttpClient(
          new HttpClientOptions()
              .setProtocolVersion(HttpVersion.HTTP_2)
              .setHttp2ClearTextUpgrade(false));

  @AfterEach
  void stop() {
    client.close();
    vertx.close().await();
    served.close();
  }

  @Test
  void tooLargeMessageIsRejectedAndTheConnectionStaysOpen() {
    Status refused = client.refused(request(about("one", "x".repeat(10 << 20))));
    assertThat(refused.getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
    assertThat(codes(client.ask(about("one", "x".repeat(3 << 20))))).containsOnly(Code.OK);
  }

  @Test
  void unknownMethodIsUnimplemented() {
    HttpClientResponse reply = post(PATH + "2", "application/grpc", null, frame(0, new byte[0]));
    assertThat(reply.getHeader("grpc-status")).isEqualTo("12");
  }

  @Test
  void compressedMessagesAreDecompressedUpToABound() throws Exception {
    byte[] message = request(about("one", "a")).build().toByteArray();
    assertThat(status(post(PATH, "application/grpc", "gzip", frame(1, gzip(message)))))
        .isEqualTo("0");
    byte[] bomb = gzip(new byte[64 << 20]);
    assertThat(bomb.length).isLessThan(1 << 20);
    assertThat(status(post(PATH, "application/grpc", "gzip", frame(1, bomb)))).isEqualTo("8");
    assertThat(status(post(PATH, "application/grpc", "gzip", frame(1, message)))).isEqualTo("3");
    assertThat(status(post(PATH, "application/grpc", "snappy", frame(1, message)))).isEqualTo("12");
    assertThat(status(post(PATH, "application/grpc", "snappy", frame(0, message)))).isEqualTo("0");
  }

  @Test
  void otherServicesRejectCompressedMessages() throws Exception {
    byte[] bomb = gzip(new byte[64 << 20]);
    for (String path : List.of("/grpc.health.v1.Health/Watch", "/grpc.health.v1.Health/Nobody")) {
      HttpClientResponse reply = post(path, "application/grpc", "gzip", frame(1, bomb));
      assertThat(reply.getHeader("grpc-status")).isEqualTo("12");
    }
  }

  @Test
  void compressedMessageWithoutEncodingIsRejected() {
    byte[] message = {31, -117, 8, 0};
    assertThat(status(post(PATH, "application/grpc", null, frame(1, message)))).isEqualTo("3");
  }

  @Test
  void missingTruncatedAndMultipleMessagesAreRejected() {
    byte[] message = request(about("many", "a")).build().toByteArray();
    assertThat(status(post(PATH, "application/grpc", null, Buffer.buffer()))).isEqualTo("3");
    Buffer half = frame(0, message).getBuffer(0, 9);
    assertThat(status(post(PATH, "application/grpc", null, half))).isEqualTo("3");
    Buffer two = frame(0, message).appendBuffer(frame(0, message));
    assertThat(status(post(PATH, "application/grpc", null, two))).isEqualTo("3");
    assertThat(RlsClient.remaining(client.ask(about("many", "a")))).containsExactly(8);
  }

  @Test
  void requestOtherThanGrpcIsRejected() {
    assertThat(post(PATH, "text/plain", null, Buffer.buffer("x")).statusCode()).isEqualTo(415);
    assertThat(post("/", "application/grpc-web", null, Buffer.buffer("x")).statusCode())
        .isEqualTo(415);
  }

  @Test
  void callWithoutMessageIsCutOff() {
    try (TestServer impatient = served(ServerSettings.DEFAULT.withRequestTime(SHORT));
        RlsClient another = new RlsClient(impatient.server.grpcPort())) {
      assertThat(cutOff(impatient)).isInstanceOf(StreamResetException.class);
      assertThat(codes(another.ask(about("one", "a")))).containsOnly(Code.OK);
    }
  }

  /** The failure of a call of which only two bytes are sent. */
  private Throwable cutOff(TestServer impatient) {
    RequestOptions options = options(impatient, PATH).putHeader("Content-Type", "application/grpc");
    return http.request(options)
        .compose(
            request -> {
              request.setChunked(true);
              var unused = request.write(Buffer.buffer(new byte[] {0, 0}));
              return request.response().compose(HttpClientResponse::end);
            })
        .map(done -> (Throwable) new AssertionError("answered"))
        .otherwise(thrown -> thrown)
        .toCompletionStage()
        .toCompletableFuture()
        .orTimeout(60, TimeUnit.SECONDS)
        .join();
  }

  private static TestServer served(ServerSettings settings) {
    return TestServer.with(RlsContract.NO_RULES, settings, new MemoryStore(), DOMAINS);
  }

  private static RequestOptions options(TestServer served, String path) {
    return new RequestOptions()
        .setMethod(HttpMethod.POST)
        .setHost("127.0.0.1")
        .setPort(served.server.grpcPort())
        .setURI(path);
  }

  private HttpClientResponse post(
      String path, String type, @org.jspecify.annotations.Nullable String encoding, Buffer body) {
    RequestOptions options = options(served, path).putHeader("Content-Type", type);
    if (encoding != null) {
      options.putHeader("grpc-encoding", encoding);
    }
    return http.request(options)
        .compose(request -> request.send(body))
        .compose(response -> response.end().map(response))
        .timeout(60, TimeUnit.SECONDS)
        .await();
  }

  /** The status in the trailers, or in the headers of a reply without a message. */
  private static String status(HttpClientResponse response) {
    String trailer = response.getTrailer("grpc-status");
    return String.valueOf(trailer == null ? response.getHeader("grpc-status") : trailer);
  }

  private static Buffer frame(int compressed, byte[] message) {
    return Buffer.buffer()
        .appendByte((byte) compressed)
        .appendInt(message.length)
        .appendBytes(message);
  }

  private static byte[] gzip(byte[] bytes) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (GZIPOutputStream folding = new GZIPOutputStream(out)) {
      folding.write(bytes);
    }
    return out.toByteArray();
  }
}
