package dev.weir.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Any;
import dev.weir.cli.CommandRun;
import dev.weir.cli.ServerProcess;
import dev.weir.envoy.ratelimit.config.v3.RateLimitConfig;
import dev.weir.envoy.ratelimit.config.v3.RateLimitDescriptor;
import dev.weir.envoy.ratelimit.config.v3.RateLimitPolicy;
import dev.weir.envoy.ratelimit.config.v3.RateLimitUnit;
import dev.weir.envoy.service.discovery.v3.DiscoveryRequest;
import dev.weir.envoy.service.discovery.v3.DiscoveryResponse;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.grpc.common.GrpcMessageDecoder;
import io.vertx.grpc.common.GrpcMessageEncoder;
import io.vertx.grpc.common.ServiceMethod;
import io.vertx.grpc.common.ServiceName;
import io.vertx.grpc.server.GrpcServer;
import io.vertx.grpc.server.GrpcServerRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code weir serve --xds}: from the first discovery request to a denial. */
class XdsServeTest {
  private static final ServiceMethod<DiscoveryRequest, DiscoveryResponse> METHOD =
      ServiceMethod.server(
          ServiceName.create("envoy.service.discovery.v3.AggregatedDiscoveryService"),
          "StreamAggregatedResources",
          GrpcMessageEncoder.encoder(),
          GrpcMessageDecoder.decoder(DiscoveryRequest.getDefaultInstance()));

  private final CountDownLatch requested = new CountDownLatch(1);
  private final CountDownLatch acknowledged = new CountDownLatch(1);

  @TempDir private Path directory = Path.of("");

  /**
   * A management server that sends one configuration to the node {@code edge}, once the latch
   * opens.
   */
  private HttpServer management(Vertx vertx, CountDownLatch open) {
    GrpcServer grpc = GrpcServer.server(vertx);
    grpc.callHandler(
        METHOD,
        call ->
            call.handler(
                request -> {
                  if (request.getVersionInfo().equals("v1")) {
                    acknowledged.countDown();
                  } else if (request.getNode().getId().equals("edge")) {
                    requested.countDown();
                    vertx.setPeriodic(20, timer -> sendOnce(vertx, timer, open, call));
                  }
                }));
    return vertx.createHttpServer().requestHandler(grpc).listen(0, "127.0.0.1").await();
  }

  private static void sendOnce(
      Vertx vertx,
      long timer,
      CountDownLatch open,
      GrpcServerRequest<DiscoveryRequest, DiscoveryResponse> call) {
    if (open.getCount() > 0) {
      return;
    }
    vertx.cancelTimer(timer);
    RateLimitConfig config =
        RateLimitConfig.newBuilder()
            .setDomain("shop")
            .addDescriptors(
                RateLimitDescriptor.newBuilder()
                    .setKey("one")
                    .setRateLimit(
                        RateLimitPolicy.newBuilder()
                            .setUnit(RateLimitUnit.DAY)
                            .setRequestsPerUnit(1)))
            .build();
    var unused =
        call.response()
            .write(
                DiscoveryResponse.newBuilder()
                    .setVersionInfo("v1")
                    .setNonce("n1")
                    .setTypeUrl(Any.pack(config).getTypeUrl())
                    .addResources(Any.pack(config))
                    .build());
  }

  @Test
  void serverListensAfterTheFirstConfigurationAndServesBothKindsOfRules() throws Exception {
    Path rules = directory.resolve("rules.yaml");
    Files.writeString(rules, "rules: [{name: all, limit: 1/day}]\n");
    Vertx vertx = Vertx.vertx();
    CountDownLatch open = new CountDownLatch(1);
    String address = "127.0.0.1:" + management(vertx, open).actualPort();
    try (ServerProcess serving =
        ServerProcess.start(Map.of(), "--xds", address, "--xds-node", "edge", "--rules", rules)) {
      assertThat(requested.await(60, TimeUnit.SECONDS)).isTrue();
      serving.awaitOutput("weir: waiting for the configuration from xDS " + address);
      assertThat(serving.output()).doesNotContain("weir: traffic on");
      open.countDown();
      serving.awaitReady();
      assertThat(acknowledged.await(60, TimeUnit.SECONDS)).isTrue();
      assertThat(serving.output())
          .contains("1 rules and 1 limits of 1 domains from " + rules + " and xDS " + address);
      assertThat(serving.get("/readyz").statusCode()).isEqualTo(200);
      assertThat(serving.check("/")).isEqualTo(200);
      assertThat(serving.check("/")).isEqualTo(429);
      String body =
          "{\"domain\":\"shop\",\"descriptors\":[{\"entries\":[{\"key\":\"one\",\"value\":\"a\"}]}]}";
      assertThat(serving.post("/json", body).statusCode()).isEqualTo(200);
      assertThat(serving.post("/json", body).statusCode()).isEqualTo(429);
    } finally {
      vertx.close().await();
    }
  }

  @Test
  void variablesOfEnvoyproxyRatelimitConfigureXds() throws Exception {
    Vertx vertx = Vertx.vertx();
    CountDownLatch open = new CountDownLatch(0);
    String address = "127.0.0.1:" + management(vertx, open).actualPort();
    Map<String, String> environment =
        Map.of(
            "CONFIG_TYPE",
            "GRPC_XDS_SOTW",
            "CONFIG_GRPC_XDS_SERVER_URL",
            address,
            "CONFIG_GRPC_XDS_NODE_ID",
            "edge");
    try (ServerProcess serving = ServerProcess.start(environment).awaitReady()) {
      assertThat(acknowledged.await(60, TimeUnit.SECONDS)).isTrue();
      assertThat(serving.output()).contains("1 limits of 1 domains from xDS " + address);
    } finally {
      vertx.close().await();
    }
  }

  @Test
  void forcedStartIsHealthyBeforeTheFirstConfiguration() throws Exception {
    Vertx vertx = Vertx.vertx();
    CountDownLatch open = new CountDownLatch(1);
    String address = "127.0.0.1:" + management(vertx, open).actualPort();
    Map<String, String> environment =
        Map.of(
            "CONFIG_TYPE",
            "GRPC_XDS_SOTW",
            "CONFIG_GRPC_XDS_SERVER_URL",
            address,
            "CONFIG_GRPC_XDS_NODE_ID",
            "edge",
            "FORCE_START_WITHOUT_INITIAL_CONFIG",
            "true");
    String body =
        "{\"domain\":\"shop\",\"descriptors\":[{\"entries\":[{\"key\":\"one\",\"value\":\"a\"}]}]}";
    try (ServerProcess serving = ServerProcess.start(environment).awaitReady()) {
      serving.awaitOutput("weir: WARNING: no configuration yet");
      assertThat(serving.get("/healthcheck").statusCode()).isEqualTo(200);
      assertThat(serving.get("/readyz").statusCode()).isEqualTo(503);
      assertThat(serving.post("/json", body).statusCode()).isEqualTo(400);
      assertThat(serving.post("/json", body).body()).isEqualTo("Bad Request\n");
      open.countDown();
      assertThat(acknowledged.await(60, TimeUnit.SECONDS)).isTrue();
      assertThat(serving.get("/healthcheck").statusCode()).isEqualTo(200);
      assertThat(serving.get("/readyz").statusCode()).isEqualTo(200);
      assertThat(serving.post("/json", body).statusCode()).isEqualTo(200);
    } finally {
      vertx.close().await();
    }
  }

  @Test
  void invalidXdsAddressIsReported() {
    CommandRun run = CommandRun.weir("serve", "--xds", "http://h:1").assertHarmless();
    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.err()).isEqualTo("weir: --xds: http://h:1 (expected: HOST:PORT)\n");
  }
}
