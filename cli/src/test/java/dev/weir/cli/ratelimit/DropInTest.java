package dev.weir.cli.ratelimit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cli.CommandRun;
import dev.weir.cli.ServerProcess;
import dev.weir.testkit.Ports;
import dev.weir.testkit.TestCertificate;
import dev.weir.testkit.redis.RedisServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server that is configured only by variables and files of envoyproxy/ratelimit. */
class DropInTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(90);

  @TempDir private Path root = Path.of("");

  private final Map<String, String> environment = new HashMap<>();

  @BeforeEach
  void environment() throws IOException {
    environment.put("RUNTIME_ROOT", root.resolve("current").toString());
    environment.put("RUNTIME_SUBDIRECTORY", "ratelimit");
    environment.put("HOST", "127.0.0.1");
    environment.put("GRPC_HOST", "127.0.0.1");
    environment.put("PORT", "0");
    environment.put("GRPC_PORT", "0");
    environment.put("DEBUG_PORT", "0");
    environment.put("USE_STATSD", "false");
    environment.put("LOG_LEVEL", "debug");
  }

  /** Writes a version of the configuration in a separate directory. */
  private Path version(String name, String file, int limit) throws IOException {
    Path config = Files.createDirectories(root.resolve(name).resolve("ratelimit/config/teams"));
    String yaml =
        """
        domain: shop
        descriptors:
          - key: user
            rate_limit: {unit: day, requests_per_unit: %d}
          - {key: path, rate_limit: {unit: day, requests_per_unit: 1}}
        """;
    Files.writeString(config.resolve(file), yaml.formatted(limit));
    Files.writeString(config.resolve(".hidden"), "domain: [");
    return root.resolve(name);
  }

  /** Changes the link atomically, as deployments do. */
  private void linkTo(Path version) throws IOException {
    Path next = Files.createSymbolicLink(root.resolve("next"), version);
    Files.move(
        next,
        root.resolve("current"),
        StandardCopyOption.ATOMIC_MOVE,
        StandardCopyOption.REPLACE_EXISTING);
  }

  private static String request(ServerProcess serving, String user) throws Exception {
    String body =
        """
        {"domain": "shop", "descriptors": [{"entries": [{"key": "user", "value": "%s"}]}]}
        """;
    return serving.post("/json", body.formatted(user)).body();
  }

  @Test
  void filesAreReadAndAChangedLinkIsNoticed() throws Exception {
    linkTo(version("one", "limits", 7));
    try (ServerProcess serving = ServerProcess.startWithFlags(environment).awaitReady()) {
      assertThat(request(serving, "ann")).contains("\"requestsPerUnit\":7", "\"limitRemaining\":6");
      assertThat(serving.output())
          .contains("2 limits of 1 domains from " + root.resolve("current/ratelimit/config"))
          .contains("weir: USE_STATSD: not used; ");
      linkTo(version("two", "limits", 9));
      awaitAnswer(serving, "\"requestsPerUnit\":9");
      assertThat(request(serving, "bob")).contains("\"limitRemaining\":8");
    }
  }

  private static void awaitAnswer(ServerProcess serving, String text) throws Exception {
    long end = System.nanoTime() + TIMEOUT.toNanos();
    while (!request(serving, "carl").contains(text)) {
      assertThat(System.nanoTime()).isLessThan(end);
      Thread.sleep(50);
    }
  }

  @Test
  void countersAreInRedisAndTheStartWaitsForIt() throws Exception {
    linkTo(version("one", "limits.yaml", 7));
    try (RedisServer redis = RedisServer.start()) {
      redis.kill();
      environment.put("REDIS_SOCKET_TYPE", "tcp");
      environment.put("REDIS_URL", "redis://127.0.0.1:" + redis.port());
      environment.put("CACHE_KEY_PREFIX", "drop-in:");
      try (ServerProcess early = ServerProcess.startWithFlags(environment)) {
        early.awaitOutput("127.0.0.1:" + redis.port());
        redis.restart();
        early.awaitReady();
        try (ServerProcess other = ServerProcess.startWithFlags(environment).awaitReady()) {
          assertCountedTogether(early, other);
        }
        assertThat(redis.list("KEYS", "drop-in:*")).isNotEmpty();
      }
    }
  }

  /**
   * Asserts that both servers count some user together; Redis may be too slow for the first users.
   */
  private static void assertCountedTogether(ServerProcess one, ServerProcess other)
      throws Exception {
    for (int i = 0; i < 100; i++) {
      String first = request(one, "user " + i);
      String second = request(other, "user " + i);
      if (first.contains("\"limitRemaining\":6") && second.contains("\"limitRemaining\":5")) {
        return;
      }
    }
    throw new AssertionError("no user is counted by both: " + request(one, "ann"));
  }

  @Test
  void variablesConfigureResponses() throws Exception {
    linkTo(version("one", "limits.yaml", 1));
    environment.put("LIMIT_RESPONSE_HEADERS_ENABLED", "true");
    environment.put("LIMIT_REMAINING_HEADER", "x-left");
    environment.put("RESPONSE_DYNAMIC_METADATA", "1");
    environment.put("SHADOW_MODE", "true");
    try (ServerProcess serving = ServerProcess.startWithFlags(environment).awaitReady()) {
      assertThat(request(serving, "ann"))
          .contains(
              "\"RateLimit-Limit\"", "\"x-left\"", "\"RateLimit-Reset\"", "[\"user\\u003dann\"]");
      assertThat(request(serving, "ann"))
          .contains("\"overallCode\":\"OK\"", "\"code\":\"OVER_LIMIT\"");
    }
  }

  @Test
  void metricsAreOnThePrometheusPort() throws Exception {
    linkTo(version("one", "limits.yaml", 1));
    int port = Ports.free();
    environment.put("USE_PROMETHEUS", "true");
    environment.put("PROMETHEUS_ADDR", "127.0.0.1:" + port);
    environment.put("LOCAL_CACHE_SIZE_IN_BYTES", "100000");
    try (ServerProcess serving = ServerProcess.startWithFlags(environment).awaitReady()) {
      for (int i = 0; i < 4; i++) {
        request(serving, "ann");
      }
      assertThat(ServerProcess.fetch("http://127.0.0.1:" + port + "/metrics").body())
          .contains("ratelimit_service_rate_limit_over_limit{domain=\"shop\",key1=\"user\"} 3")
          .contains("_over_limit_with_local_cache{domain=\"shop\",key1=\"user\"} 2")
          .contains("weir_rls_hits_total");
    }
  }

  @Test
  void stopIncrementSettingChargesAllOrNone() throws Exception {
    linkTo(version("one", "limits.yaml", 5));
    environment.put("STOP_CACHE_KEY_INCREMENT_WHEN_OVERLIMIT", "true");
    String both =
        """
        {"domain": "shop", "descriptors": [{"entries": [{"key": "path", "value": "/"}]},
                                           {"entries": [{"key": "user", "value": "ann"}]}]}
        """;
    try (ServerProcess serving = ServerProcess.startWithFlags(environment).awaitReady()) {
      assertThat(serving.post("/json", both).statusCode()).isEqualTo(200);
      assertThat(serving.post("/json", both).statusCode()).isEqualTo(429);
      assertThat(serving.post("/json", both).statusCode()).isEqualTo(429);
      assertThat(request(serving, "ann")).as("charged twice").contains("\"limitRemaining\":3");
    }
  }

  @Test
  void serverWaitsForTheFirstFilesOfAnEmptyDirectory() throws Exception {
    Path config = Files.createDirectories(root.resolve("one/ratelimit/config"));
    linkTo(root.resolve("one"));
    environment.put("HEALTHY_WITH_AT_LEAST_ONE_CONFIG_LOADED", "true");
    try (ServerProcess serving = ServerProcess.startWithFlags(environment).awaitReady()) {
      Path watched = root.resolve("current/ratelimit/config");
      assertThat(serving.output())
          .contains("weir: WARNING: " + watched + ": no files yet, nothing is limited (expected: ");
      assertThat(serving.get("/readyz").statusCode()).isEqualTo(200);
      assertThat(serving.admin("/readyz").body()).contains("no files yet, nothing is limited");
      assertThat(serving.get("/healthcheck").statusCode()).isEqualTo(500);
      assertThat(request(serving, "ann")).contains("\"overallCode\":\"OK\"");
      Files.writeString(
          config.resolve("limits"),
          "domain: shop\ndescriptors: [{key: user, rate_limit: {unit: day, requests_per_unit: 7}}]");
      awaitAnswer(serving, "\"requestsPerUnit\":7");
      assertThat(serving.get("/healthcheck").statusCode()).isEqualTo(200);
      assertThat(serving.admin("/readyz").body()).contains("\"problems\":[]");
    }
  }

  @Test
  void unsupportedBackendIsRefusedUnlessAFlagSetsTheStore() throws Exception {
    linkTo(version("one", "limits.yaml", 5));
    environment.put("BACKEND_TYPE", "memcache");
    CommandRun run = ServerProcess.startWithFlags(environment).awaitExit();
    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.err()).startsWith("weir: BACKEND_TYPE: memcache (expected: redis, ");
    try (ServerProcess serving =
        ServerProcess.startWithFlags(environment, "--store", "embedded").awaitReady()) {
      assertThat(request(serving, "ann")).contains("\"limitRemaining\":4");
    }
  }

  @Test
  void unreadableRedisKeyFailsTheStartAtOnce() throws Exception {
    linkTo(version("one", "limits.yaml", 5));
    Path garbage = Files.writeString(root.resolve("garbage.pem"), "garbage\n");
    TestCertificate own = TestCertificate.make(root, "own", "RSA");
    environment.put("REDIS_URL", "127.0.0.1:1");
    environment.put("REDIS_SOCKET_TYPE", "tcp");
    environment.put("REDIS_TLS", "true");
    environment.put("REDIS_TLS_CLIENT_CERT", own.certificate().toString());
    environment.put("REDIS_TLS_CLIENT_KEY", garbage.toString());
    CommandRun run = ServerProcess.startWithFlags(environment).awaitExit();
    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.err())
        .isEqualTo(
            "weir: REDIS_TLS_CLIENT_KEY: "
                + garbage
                + ": no private key (expected: PKCS#8, PKCS#1 or SEC1 in PEM, without a"
                + " passphrase)\n");
    String url = "rediss://127.0.0.1:1?cert=" + own.certificate() + "&key=" + garbage;
    CommandRun flag =
        ServerProcess.startWithFlags(environment, "--store", url, "--store-wait", "60").awaitExit();
    assertThat(flag.exit()).isEqualTo(2);
    assertThat(flag.err()).startsWith("weir: --store: key: " + garbage + ": no private key (");
  }

  @Test
  void invalidVariablesFailTheStartAtOnce() throws Exception {
    linkTo(version("one", "limits.yaml", 5));
    environment.put("GRPC_PORT", "many");
    environment.put("SHADOW_MODE", "maybe");
    environment.put("REDIS_TYPE", "RING");
    environment.put("REDIS_URL", "127.0.0.1:1");
    CommandRun run = ServerProcess.startWithFlags(environment).awaitExit();
    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.err())
        .isEqualTo(
            """
            weir: GRPC_PORT: many (expected: a port between 0 and 65535)
            weir: SHADOW_MODE: maybe (expected: true or false)
            weir: REDIS_TYPE: RING (expected: SINGLE, SENTINEL or CLUSTER)
            """);
  }
}
