package dev.weir.server;

import static dev.weir.rules.domain.TestDomains.at;
import static dev.weir.server.RlsClient.about;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.key.KeySpace;
import dev.weir.memory.MemoryStore;
import dev.weir.redis.RedisStore;
import dev.weir.redis.connection.RedisSettings;
import dev.weir.rules.RuleSource;
import dev.weir.rules.RulesLoader;
import dev.weir.rules.RulesRegistry;
import dev.weir.rules.domain.TestDomains;
import dev.weir.rules.domain.Unit;
import dev.weir.rules.yaml.RulesText;
import dev.weir.server.rls.RlsSettings;
import dev.weir.server.settings.ServerSettings;
import dev.weir.server.store.StoreConfig;
import dev.weir.testkit.redis.RedisServer;
import io.grpc.Status;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.InstantSource;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The requirements of health, by the settings of envoyproxy/ratelimit. */
@Timeout(300)
class RlsHealthSettingsTest {
  private static final RulesText SHOP =
      RulesText.of(
          "shop.yaml",
          "domain: shop\ndescriptors: [{key: one, rate_limit: {unit: day, requests_per_unit: 1}}]\n");

  private static ServerSettings settings(boolean rules, boolean keys, boolean store) {
    RlsSettings.Health health = new RlsSettings.Health(rules, keys, store);
    return ServerSettings.DEFAULT.withRls(RlsSettings.DEFAULT.withHealth(health));
  }

  private static int status(WeirServer server, String path) throws Exception {
    URI uri = URI.create("http://127.0.0.1:" + server.port() + path);
    return HttpClient.newHttpClient()
        .send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString())
        .statusCode();
  }

  private static Iterator<HealthCheckResponse> watch(RlsClient client) {
    return HealthGrpc.newBlockingStub(client.channel)
        .watch(HealthCheckRequest.newBuilder().setService("ratelimit").build());
  }

  @Test
  void healthyWithoutConfigurationIfNotRequired() throws Exception {
    withBoard(
        settings(false, false, false),
        (server, sent, client) -> {
          assertThat(status(server, "/healthcheck")).isEqualTo(200);
          assertThat(watch(client).next().getStatus()).isEqualTo(ServingStatus.SERVING);
          assertThat(status(server, "/readyz")).isEqualTo(503);
          Status refused = client.refused(RlsClient.request(about("one", "a")));
          assertThat(refused.getDescription()).isEqualTo("no rate limit configuration loaded");
          assertThat(sent.offer(List.of(SHOP))).isEmpty();
          assertThat(status(server, "/healthcheck")).isEqualTo(200);
          assertThat(status(server, "/readyz")).isEqualTo(200);
        });
  }

  @Test
  void unhealthyWithoutDomainIfRequired() throws Exception {
    withBoard(
        settings(false, true, false),
        (server, sent, client) -> {
          Iterator<HealthCheckResponse> watch = watch(client);
          assertThat(watch.next().getStatus()).isEqualTo(ServingStatus.NOT_SERVING);
          assertThat(sent.offer(List.of())).isEmpty();
          assertThat(status(server, "/healthcheck")).isEqualTo(500);
          assertThat(status(server, "/readyz")).isEqualTo(200);
          assertThat(sent.offer(List.of(SHOP))).isEmpty();
          assertThat(status(server, "/healthcheck")).isEqualTo(200);
          assertThat(watch.next().getStatus()).isEqualTo(ServingStatus.SERVING);
          assertThat(sent.offer(List.of())).isEmpty();
          assertThat(status(server, "/healthcheck")).isEqualTo(500);
          assertThat(watch.next().getStatus()).isEqualTo(ServingStatus.NOT_SERVING);
        });
  }

  /** A test with a server that waits for its first configuration. */
  private interface Trial {
    void run(WeirServer server, RuleSource sent, RlsClient client) throws Exception;
  }

  private static void withBoard(ServerSettings settings, Trial trial) throws Exception {
    KeySpace keys = KeySpace.random();
    RulesRegistry board =
        new RulesRegistry(new RulesLoader(keys, Map.of()), InstantSource.system());
    RuleSource sent = board.addSource("sent");
    try (WeirServer server =
            WeirServer.start(
                settings.withPorts(0, 0, 0), board, StoreConfig.embedded(new MemoryStore()), keys);
        RlsClient client = new RlsClient(server.grpcPort())) {
      trial.run(server, sent, client);
    } finally {
      board.close();
    }
  }

  @Test
  void healthyOnlyWhileStoreAnswersIfRequired() throws Exception {
    try (RedisServer redis = RedisServer.start();
        RedisStore store = RedisStore.connect(RedisSettings.parse(redis.url() + "?deadline=2s"));
        TestServer served =
            TestServer.with(
                RlsContract.NO_RULES,
                settings(true, false, true),
                store,
                TestDomains.book("shop", at("one").per(1, Unit.DAY)));
        RlsClient client = new RlsClient(served.server.grpcPort())) {
      Iterator<HealthCheckResponse> watch = watch(client);
      assertThat(watch.next().getStatus()).isEqualTo(ServingStatus.SERVING);
      assertThat(served.get("/healthcheck").statusCode()).isEqualTo(200);
      redis.kill();
      assertThat(watch.next().getStatus()).isEqualTo(ServingStatus.NOT_SERVING);
      assertThat(served.get("/healthcheck").statusCode()).isEqualTo(500);
      assertThat(served.get("/readyz").statusCode()).isEqualTo(200);
      redis.restart();
      assertThat(watch.next().getStatus()).isEqualTo(ServingStatus.SERVING);
      assertThat(served.get("/healthcheck").statusCode()).isEqualTo(200);
    }
  }
}
