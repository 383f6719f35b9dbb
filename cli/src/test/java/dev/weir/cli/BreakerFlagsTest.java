package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.redis.RedisServer;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The flags of the breaker reach the guard of the store. */
class BreakerFlagsTest {
  private static final long MAX_SECONDS = 60;

  private static String url(RedisServer redis) {
    return "redis://127.0.0.1:" + redis.port() + "?deadline=500ms";
  }

  private static String awaited(Serving server, String expected) throws Exception {
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
  void itOpensAfterAsManyFailuresAsAreGiven() throws Exception {
    Object[] never = {"--breaker-failures", "1000000", "--breaker-rate", "100"};
    Object[] atOnce = {"--breaker-failures", "1", "--breaker-recovery", "250ms"};
    try (RedisServer redis = RedisServer.start();
        Serving patient = Serving.start(Map.of("WEIR_STORE", url(redis)), never);
        Serving hasty = Serving.start(Map.of("WEIR_STORE", url(redis)), atOnce)) {
      assertThat(patient.ready().check("/hello")).isEqualTo(200);
      assertThat(hasty.ready().check("/hello")).isEqualTo(200);
      awaited(hasty, "\"breaker\":\"closed\"");
      redis.kill();
      for (int i = 0; i < 20; i++) {
        assertThat(patient.check("/hello")).isIn(200, 429);
        assertThat(hasty.check("/hello")).isIn(200, 429);
      }
      awaited(hasty, "\"breaker\":\"open\"");
      assertThat(awaited(patient, "\"answers\":false")).contains("\"breaker\":\"closed\"");
      redis.restart();
      awaited(hasty, "\"breaker\":\"closed\"");
      awaited(hasty, "\"answers\":true");
    }
  }
}
