package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClientAgent;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.PoolOptions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A thousand requests released together, of which a hundred may pass. */
class ConcurrentRequestsTest {
  private static final String RULES = "rules: [{name: hundred, limit: 100/day}]";

  @Test
  void exactlyHundredOfThousandRequestsPassOverManyConnections() {
    assertThat(passed(new HttpClientOptions(), 50)).isEqualTo(100);
  }

  @Test
  void exactlyHundredOfThousandStreamsPassOnOneConnection() {
    HttpClientOptions http2 =
        new HttpClientOptions()
            .setProtocolVersion(HttpVersion.HTTP_2)
            .setHttp2ClearTextUpgrade(false)
            .setHttp2MultiplexingLimit(1_000);
    assertThat(passed(http2, 1)).isEqualTo(100);
  }

  private static long passed(HttpClientOptions options, int connections) {
    Vertx vertx = Vertx.vertx();
    try (TestServer served = TestServer.with(RULES)) {
      PoolOptions pool =
          new PoolOptions().setHttp1MaxSize(connections).setHttp2MaxSize(connections);
      HttpClientAgent client = vertx.createHttpClient(options, pool);
      List<Future<Integer>> statuses = new ArrayList<>();
      for (int i = 0; i < 1_000; i++) {
        statuses.add(
            client
                .request(HttpMethod.GET, served.server.port(), "127.0.0.1", "/v1/check/")
                .compose(HttpClientRequest::send)
                .map(response -> response.statusCode()));
      }
      Future.all(statuses).await();
      assertThat(statuses).allMatch(status -> List.of(200, 429).contains(status.result()));
      return statuses.stream().filter(status -> status.result() == 200).count();
    } finally {
      vertx.close().await();
    }
  }
}
