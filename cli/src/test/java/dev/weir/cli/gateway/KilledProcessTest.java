package dev.weir.cli.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cli.ServerProcess;
import dev.weir.testkit.Effort;
import dev.weir.testkit.redis.Await;
import dev.weir.testkit.redis.RedisServer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Processes of {@code weir gateway} that are killed while they hold permits in Redis. All times are
 * those of Redis' clock.
 */
@Timeout(3_600)
class KilledProcessTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final int PERMITS = 3;
  private static final int TOGETHER = 5;
  private static final long EXPIRY_MICROS = 5_000_000;
  private static final String RULES =
      """
      identity: {caller: header X-Caller}
      rules:
        - {name: flight, per: caller, concurrent: 3, expires: 5 seconds, when-store-fails: deny}
      lint-ignore: forgeable-key
      """;

  private final RedisServer redis = RedisServer.start();
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  @TempDir private Path directory = Path.of("");

  @Test
  void permitsOfKilledProcessesExpireAndNoSooner() throws Exception {
    Path rules = Files.writeString(directory.resolve("rules.yaml"), RULES);
    try (redis;
        HttpService service = new HttpService("free");
        ServerProcess survivor = gateway(rules, service).awaitReady()) {
      for (int round = 0; round < Effort.of(1, 20); round++) {
        kill(rules, survivor);
      }
    }
  }

  private ServerProcess gateway(Path rules, HttpService service) throws Exception {
    String store = redis.url() + "?deadline=20s";
    return ServerProcess.gateway("--upstream", service.url(), "--rules", rules, "--store", store);
  }

  /** Kills some processes, each of which holds all permits of its own caller. */
  private void kill(Path rules, ServerProcess survivor) throws Exception {
    try (HttpService holding = new HttpService("held")) {
      List<ServerProcess> victims = new ArrayList<>();
      try {
        for (int i = 0; i < TOGETHER; i++) {
          victims.add(gateway(rules, holding));
        }
        for (ServerProcess victim : victims) {
          victim.awaitReady();
        }
        long before = redisMicros();
        for (int i = 0; i < TOGETHER; i++) {
          for (int permit = 0; permit < PERMITS; permit++) {
            var unused =
                client.sendAsync(request(victims.get(i), "/held", i), BodyHandlers.ofString());
          }
        }
        Await.until("all are held", LIMIT, () -> holding.held.get() == TOGETHER * PERMITS);
        for (ServerProcess victim : victims) {
          victim.kill();
        }
        long killed = redisMicros();
        for (int i = 0; i < TOGETHER; i++) {
          awaitExpiry(survivor, i, before, killed);
        }
      } finally {
        for (ServerProcess victim : victims) {
          victim.close();
        }
      }
    }
  }

  /** A permit can be had once one may have expired, and from when on all must have. */
  private void awaitExpiry(ServerProcess survivor, int caller, long before, long killed)
      throws Exception {
    int status;
    do {
      long asked = redisMicros();
      status = client.send(request(survivor, "/", caller), BodyHandlers.ofString()).statusCode();
      long answered = redisMicros();
      if (status == 200) {
        assertThat(answered)
            .as("granted, before a permit can have expired")
            .isGreaterThanOrEqualTo(before + EXPIRY_MICROS);
      } else {
        assertThat(status).isEqualTo(429);
        assertThat(asked).as("denied: a permit is stuck").isLessThan(killed + EXPIRY_MICROS);
      }
    } while (status != 200);
  }

  private static HttpRequest request(ServerProcess gateway, String path, int caller) {
    return HttpRequest.newBuilder(URI.create(gateway.url() + path))
        .timeout(LIMIT)
        .header("X-Caller", "caller-" + caller)
        .build();
  }

  private long redisMicros() {
    List<?> time = redis.list("TIME");
    return Long.parseLong(time.get(0).toString()) * 1_000_000
        + Long.parseLong(time.get(1).toString());
  }
}
