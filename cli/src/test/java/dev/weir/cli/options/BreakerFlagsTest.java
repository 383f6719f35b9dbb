package dev.weir.cli.options;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cli.ServerProcess;
import dev.weir.testkit.redis.RedisServer;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The breaker flags configure the circuit breaker of the store. */
class BreakerFlagsTest {
  private static final long MAX_SECONDS = 60;

  private static String url(RedisServer redis) {
    return "redis://127.0.0.1:" + redis.port() + "?deadline=500ms";
  }

  private static String awaitReadyz(ServerProcess server, String expected) throws Exception {
    long start = System.nanoTime();
    String body = server.admin("/readyz").body();
    while (!body.contains(expected)) {
      assertThat(System.nanoTime() - start).as(body).isLessThan(MAX_SECONDS * 1_000_000_000L);
      TimeUnit.MILLISECONDS.sleep(20);
      body = server.admin("/readyz").body();
    }
    return body;
  }

  @Test
  void breakerOpensAfterTheConfiguredNumberOfFailures() throws Exception {
    Object[] never = {"--breaker-failures", "1000000", "--breaker-rate", "100"};
    Object[] atOnce = {"--breaker-failures", "1", "--breaker-recovery", "250ms"};
    try (RedisServer redis = RedisServer.start();
        ServerProcess patient = ServerProcess.start(Map.of("WEIR_STORE", url(redis)), never);
        ServerProcess hasty = ServerProcess.start(Map.of("WEIR_STORE", url(redis)), atOnce)) {
      assertThat(patient.awaitReady().check("/hello")).isEqualTo(200);
      assertThat(hasty.awaitReady().check("/hello")).isEqualTo(200);
      awaitReadyz(hasty, "\"breaker\":\"closed\"");
      redis.kill();
      for (int i = 0; i < 20; i++) {
        assertThat(patient.check("/hello")).isIn(200, 429);
        assertThat(hasty.check("/hello")).isIn(200, 429);
      }
      awaitReadyz(hasty, "\"breaker\":\"open\"");
      assertThat(awaitReadyz(patient, "\"answers\":false")).contains("\"breaker\":\"closed\"");
      redis.restart();
      awaitReadyz(hasty, "\"breaker\":\"closed\"");
      awaitReadyz(hasty, "\"answers\":true");
    }
  }
}
