package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Claim;
import dev.weir.Limit;
import dev.weir.LimitKey;
import dev.weir.testkit.Ports;
import dev.weir.testkit.TestCertificate;
import dev.weir.testkit.redis.Binaries;
import dev.weir.testkit.redis.RedisBinary;
import dev.weir.testkit.redis.RedisServer;
import java.nio.file.Path;
import java.time.Duration;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Encrypted, with certificates on both sides; the embedded Redis is built without that. */
@Timeout(300)
class TlsStoreTest {
  private static final Claim CLAIM =
      Claim.of(Limit.tokenBucket(10, Duration.ofHours(1)), new LimitKey(1, 2));

  @TempDir private Path directory = Path.of("");

  private static AbstractThrowableAssert<?, ?> refusal(String url) {
    return assertThatThrownBy(() -> RedisStore.connect(RedisSettings.parse(url)).close())
        .isInstanceOf(RedisUnusable.class)
        .hasMessageNotContaining("\n");
  }

  @Test
  void bothSidesShowWhoTheyAre() throws Exception {
    RedisBinary program = Binaries.PATH.get();
    TestCertificate server = TestCertificate.make(directory, "server", "RSA");
    TestCertificate client = TestCertificate.make(directory, "client", "EC");
    int port = Ports.free();
    try (RedisServer redis =
        RedisServer.start(
            program,
            "tls-port " + port,
            "bind 127.0.0.1 127.0.0.2",
            "tls-cert-file " + server.certificate(),
            "tls-key-file " + server.key(),
            "tls-ca-cert-file " + client.certificate())) {
      String url = "rediss://localhost:" + port;
      String ca = "?ca=" + server.certificate();
      String shown = "&cert=" + client.certificate() + "&key=" + client.key();
      try (RedisStore store = RedisStore.connect(RedisSettings.parse(url + ca + shown))) {
        assertThat(store.take(CLAIM).join().remaining()).isEqualTo(9);
        assertThat(redis.number("DBSIZE")).isEqualTo(1);
      }
      String blind = url + "?verify=none" + shown;
      try (RedisStore store = RedisStore.connect(RedisSettings.parse(blind))) {
        assertThat(store.take(CLAIM).join().remaining()).isEqualTo(8);
      }
      String older = "&cert=" + client.certificate() + "&key=" + client.olderKey();
      try (RedisStore store = RedisStore.connect(RedisSettings.parse(url + ca + older))) {
        assertThat(store.take(CLAIM.costing(0)).join().remaining()).isEqualTo(8);
      }
      String elsewhere = "rediss://127.0.0.2:" + port;
      String anyHost = ca + "&verify=ca" + shown;
      try (RedisStore store = RedisStore.connect(RedisSettings.parse(elsewhere + anyHost))) {
        assertThat(store.take(CLAIM).join().remaining()).isEqualTo(7);
      }
      refusal(elsewhere + ca + shown).hasMessageContaining("127.0.0.2");
      refusal(elsewhere + "?verify=ca" + shown).hasMessageContaining("certif");
      refusal(url + "?cert=" + client.certificate() + "&key=" + client.key())
          .hasMessageContaining("certif");
      refusal(url + ca).hasMessageStartingWith("Redis at standalone localhost:" + port + ": ");
      refusal("redis://localhost:" + port)
          .hasMessageStartingWith("Redis at standalone localhost:" + port + ": ");
      refusal("rediss://localhost:" + redis.port() + ca + shown)
          .hasMessageStartingWith("Redis at standalone localhost:" + redis.port() + ": ");
      refusal(url + "?ca=" + directory.resolve("none.pem"))
          .hasMessageContaining("none.pem: cannot be read");
      refusal(url + "?ca=" + server.key())
          .hasMessageContaining("server-key.pem: no certificate (expected: one");
    }
  }
}
