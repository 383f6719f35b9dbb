package dev.weir.server;

import static dev.weir.server.RlsClient.about;
import static dev.weir.server.RlsClient.codes;
import static dev.weir.server.RlsClient.request;
import static org.assertj.core.api.Assertions.assertThat;

import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.Code;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.MetadataUtils;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.SocketException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Ten megabytes of anything are rejected, and the next request is answered. */
@Timeout(300)
class RlsLargeTest {
  private static final int LARGE = 10 << 20;
  private static final int FRAME = 16_384;
  private static final String YAML =
      """
      domain: shop
      descriptors: [{key: user, rate_limit: {unit: year, requests_per_unit: 1}}]
      """;

  private final TestServer served = TestServer.with(YAML);
  private final RlsClient client = new RlsClient(served.server.grpcPort());

  @AfterEach
  void assertOtherClientsAreAnswered() {
    assertThat(codes(client.ask(about("user", "me")))).containsOnly(Code.OK);
    assertThat(served.get("/healthz").statusCode()).isEqualTo(200);
    client.close();
    served.close();
  }

  @Test
  void largeMessageIsRejected() {
    Status refused = client.refused(request(about("user", "x".repeat(LARGE))));
    assertThat(refused.getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
    assertThat(refused.getDescription()).contains("(expected: at most ");
  }

  /** The count stops at the first descriptor too many, so the rest was never parsed. */
  @Test
  void decompressionBombIsRejectedBeforeParsing() {
    var many = RateLimitRequest.newBuilder().setDomain("shop");
    for (int i = 0; i < 100_000; i++) {
      many.addDescriptors(RateLimitDescriptor.getDefaultInstance());
    }
    try {
      var reply = client.stub().withCompression("gzip").shouldRateLimit(many.build());
      throw new AssertionError(reply.toString());
    } catch (StatusRuntimeException e) {
      assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
      assertThat(e.getStatus().getDescription())
          .isEqualTo("descriptors: 1001 (expected: at most 1000)");
    }
  }

  @Test
  void jsonBodyWithTooManyDescriptorsIsRejectedBeforeParsing() {
    String body = "{\"domain\": \"shop\", \"descriptors\": [" + "{},".repeat(300_000) + "{}]}";
    HttpResponse<String> reply = served.post("/json", body);
    assertThat(reply.statusCode()).isEqualTo(400);
    assertThat(reply.body()).contains("body: too many values");
  }

  @Test
  void largeCallMetadataIsRejected() {
    Metadata large = new Metadata();
    large.put(Metadata.Key.of("x-large", Metadata.ASCII_STRING_MARSHALLER), "x".repeat(LARGE));
    try {
      var reply =
          client
              .stub()
              .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(large))
              .shouldRateLimit(request(about("user", "me")).build());
      throw new AssertionError(reply.toString());
    } catch (StatusRuntimeException e) {
      assertThat(e.getStatus().getCode()).isNotEqualTo(Status.Code.DEADLINE_EXCEEDED);
    }
  }

  @Test
  void connectionWithLargeHeadersIsCutOff() throws IOException {
    try (RawGrpc raw = new RawGrpc(served.server.grpcPort(), 65_535)) {
      byte[] fields = fields();
      try {
        for (int from = 0; from < fields.length; from += FRAME) {
          int to = Math.min(fields.length, from + FRAME);
          raw.send(
              from == 0 ? RawGrpc.HEADERS : RawGrpc.CONTINUATION,
              to == fields.length ? RawGrpc.END_HEADERS : 0,
              1,
              Arrays.copyOfRange(fields, from, to));
        }
      } catch (SocketException e) {
        // Cut off already.
      }
      assertThat(end(raw)).isIn(RawGrpc.RESET, RawGrpc.GO_AWAY, -1);
    }
  }

  /** The kind of the frame by which it is cut off; -1 if the connection is closed at once. */
  private static int end(RawGrpc raw) throws IOException {
    try {
      int kind = raw.read().kind();
      while (kind != RawGrpc.RESET && kind != RawGrpc.GO_AWAY && kind != -1) {
        kind = raw.read().kind();
      }
      return kind;
    } catch (SocketException e) {
      return -1;
    }
  }

  /** A call with one large field: literals that need no table. */
  private static byte[] fields() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(new byte[] {(byte) 0x83, (byte) 0x86, (byte) 0x84});
    out.writeBytes(new byte[] {0, 1, 'x', 0x7F});
    int rest = LARGE - 127;
    for (; rest >= 128; rest >>>= 7) {
      out.write((rest & 127) | 128);
    }
    out.write(rest);
    out.writeBytes("x".repeat(LARGE).getBytes(StandardCharsets.US_ASCII));
    return out.toByteArray();
  }

  @Test
  void largeJsonBodyIsRejected() {
    String body = "{\"domain\": \"" + "x".repeat(LARGE) + "\", \"descriptors\": [{}]}";
    try {
      assertThat(served.post("/json", body).statusCode()).isEqualTo(413);
    } catch (java.io.UncheckedIOException e) {
      // The connection was closed while the rest was still on its way.
      assertThat(e.getCause()).isInstanceOf(IOException.class);
    }
  }

  @Test
  void largeJsonHeadersAreRejected() throws IOException {
    try (RawClient raw = new RawClient(served.server.port(), 20_000)) {
      raw.send("POST /json HTTP/1.1\r\nHost: x\r\nX: ".getBytes(StandardCharsets.US_ASCII));
      try {
        raw.send("x".repeat(LARGE).getBytes(StandardCharsets.US_ASCII));
        RawClient.Response reply = raw.read(false);
        assertThat(reply == null || reply.status() == 431).isTrue();
      } catch (SocketException e) {
        // Cut off while the rest was still on its way.
      }
    }
  }
}
