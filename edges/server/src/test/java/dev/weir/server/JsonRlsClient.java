package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.util.JsonFormat;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;

/** A client of the JSON endpoint, with Weir's messages: Envoy's do not have all fields yet. */
final class JsonRlsClient implements RlsCaller {
  private final TestServer served;

  JsonRlsClient(TestServer served) {
    this.served = served;
  }

  @Override
  public RateLimitResponse ask(RateLimitRequest.Builder request) {
    HttpResponse<String> reply = post(request);
    assertThat(reply.statusCode()).as(reply.body()).isIn(200, 429);
    dev.weir.envoy.service.ratelimit.v3.RateLimitResponse.Builder read =
        dev.weir.envoy.service.ratelimit.v3.RateLimitResponse.newBuilder();
    try {
      JsonFormat.parser().merge(reply.body(), read);
      RateLimitResponse response = RateLimitResponse.parseFrom(read.build().toByteArray());
      boolean over = response.getOverallCode() == RateLimitResponse.Code.OVER_LIMIT;
      assertThat(reply.statusCode()).isEqualTo(over ? 429 : 200);
      return response;
    } catch (InvalidProtocolBufferException e) {
      throw new AssertionError(reply.body(), e);
    }
  }

  @Override
  public String complaint(RateLimitRequest.Builder request) {
    HttpResponse<String> reply = post(request);
    assertThat(reply.statusCode()).as(reply.body()).isEqualTo(400);
    return new JsonObject(reply.body()).getString("detail");
  }

  private HttpResponse<String> post(RateLimitRequest.Builder request) {
    try {
      byte[] bytes = request.build().toByteArray();
      return served.post(
          "/json",
          JsonFormat.printer()
              .print(dev.weir.envoy.service.ratelimit.v3.RateLimitRequest.parseFrom(bytes)));
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalArgumentException(e);
    }
  }

  @Override
  public void close() {}
}
