package dev.weir.server;

import static dev.weir.server.RlsClient.about;
import static dev.weir.server.RlsClient.codes;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.key.KeySpace;
import dev.weir.memory.MemoryStore;
import dev.weir.rules.RuleSource;
import dev.weir.rules.RulesLoader;
import dev.weir.rules.RulesRegistry;
import dev.weir.server.settings.ServerSettings;
import dev.weir.server.store.StoreConfig;
import dev.weir.server.xds.ManagementServer;
import dev.weir.server.xds.TestConfigs;
import dev.weir.server.xds.XdsSettings;
import dev.weir.server.xds.XdsSource;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.Code;
import io.grpc.Status;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.InstantSource;
import java.util.Iterator;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A server that starts before its management server has sent a configuration. */
@Timeout(300)
class XdsServerTest {
  private static final String NONE = "no rate limit configuration loaded";
  private static final String ASKED =
      "{\"domain\": \"shop\", \"descriptors\": [{\"entries\": [{\"key\": \"one\", \"value\":"
          + " \"a\"}]}]}";

  private static HttpResponse<String> http(WeirServer server, String path, String body)
      throws Exception {
    return at(server.port(), path, body);
  }

  private static HttpResponse<String> at(int port, String path, String body) throws Exception {
    URI uri = URI.create("http://127.0.0.1:" + port + path);
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(uri)
                .header("Content-Type", "application/json")
                .method(body.isEmpty() ? "GET" : "POST", BodyPublishers.ofString(body))
                .build(),
            BodyHandlers.ofString());
  }

  @Test
  void requestsAreServedOnlyAfterTheFirstConfiguration() throws Exception {
    KeySpace keys = KeySpace.random();
    RulesRegistry board =
        new RulesRegistry(new RulesLoader(keys, Map.of()), InstantSource.system());
    RuleSource sent = board.addSource("xds");
    ServerSettings settings = ServerSettings.DEFAULT.withPorts(0, 0, 0);
    ManagementServer management = ManagementServer.start();
    XdsSource source = XdsSource.start(XdsSettings.at(management.address()), sent, new Random(1));
    try (WeirServer server =
            WeirServer.start(settings, board, StoreConfig.embedded(new MemoryStore()), keys);
        RlsClient client = new RlsClient(server.grpcPort())) {
      Iterator<HealthCheckResponse> health =
          HealthGrpc.newBlockingStub(client.channel)
              .watch(HealthCheckRequest.newBuilder().setService("ratelimit").build());
      assertThat(health.next().getStatus()).isEqualTo(ServingStatus.NOT_SERVING);
      Status refused = client.refused(RlsClient.request(about("one", "a")));
      assertThat(refused.getCode()).isEqualTo(Status.Code.UNAVAILABLE);
      assertThat(refused.getDescription()).isEqualTo(NONE);
      assertThat(http(server, "/json", ASKED).statusCode()).isEqualTo(503);
      assertThat(http(server, "/json", ASKED).body()).contains(NONE);
      assertThat(http(server, "/readyz", "").statusCode()).isEqualTo(503);
      assertThat(http(server, "/readyz", "").body()).contains("waiting-for-rules");
      assertThat(at(server.adminPort(), "/readyz", "").body()).contains(NONE);
      assertThat(http(server, "/healthcheck", "").statusCode()).isEqualTo(500);
      assertThat(http(server, "/healthz", "").statusCode()).isEqualTo(200);

      ManagementServer.Stream stream = management.stream();
      stream.next();
      stream.send("v1", "n1", TestConfigs.daily("shop", 1));
      assertThat(stream.next().getVersionInfo()).isEqualTo("v1");
      assertThat(health.next().getStatus()).isEqualTo(ServingStatus.SERVING);
      assertThat(http(server, "/readyz", "").statusCode()).isEqualTo(200);
      assertThat(codes(client.ask(about("one", "a")))).containsExactly(Code.OK, Code.OK);
      assertThat(http(server, "/json", ASKED).statusCode()).isEqualTo(429);

      management.close();
      assertThat(http(server, "/readyz", "").statusCode()).isEqualTo(200);
      assertThat(http(server, "/json", ASKED).statusCode()).isEqualTo(429);
    } finally {
      source.close();
      management.close();
      board.close();
    }
  }
}
