package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Claim;
import dev.weir.Limit;
import dev.weir.LimitKey;
import dev.weir.redis.connection.RedisSettings;
import dev.weir.redis.connection.RedisUnusable;
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

/** TLS with certificates on both sides; the embedded Redis is built without TLS. */
@Timeout(300)
class TlsStoreTest {
  private static final Claim CLAIM =
      Claim.of(Limit.tokenBucket(10, Duration.ofHours(1)), new LimitKey(1, 2));

  @TempDir private Path directory = Path.of("");

  private static AbstractThrowableAssert<?, ?> assertUnusable(String url) {
    return assertThatThrownBy(() -> RedisStore.connect(RedisSettings.parse(url)).close())
        .isInstanceOf(RedisUnusable.class)
        .hasMessageNotContaining("\n");
  }

  /** A server that starts without its store must not wait for a certificate to become right. */
  private static AbstractThrowableAssert<?, ?> assertUnusableForGood(String url) {
    return assertUnusable(url)
        .isInstanceOfSatisfying(
            RedisUnusable.class, failure -> assertThat(failure.isTemporary()).isFalse());
  }

  @Test
  void certificatesOfBothSidesAreVerified() throws Exception {
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
      String clientCertificate = "&cert=" + client.certificate() + "&key=" + client.key();
      try (RedisStore store =
          RedisStore.connect(RedisSettings.parse(url + ca + clientCertificate))) {
        assertThat(store.take(CLAIM).join().remaining()).isEqualTo(9);
        assertThat(redis.number("DBSIZE")).isEqualTo(1);
      }
      String unverified = url + "?verify=none" + clientCertificate;
      try (RedisStore store = RedisStore.connect(RedisSettings.parse(unverified))) {
        assertThat(store.take(CLAIM).join().remaining()).isEqualTo(8);
      }
      String older = "&cert=" + client.certificate() + "&key=" + client.olderKey();
      try (RedisStore store = RedisStore.connect(RedisSettings.parse(url + ca + older))) {
        assertThat(store.take(CLAIM.withCost(0)).join().remaining()).isEqualTo(8);
      }
      String otherHost = "rediss://127.0.0.2:" + port;
      String anyHost = ca + "&verify=ca" + clientCertificate;
      try (RedisStore store = RedisStore.connect(RedisSettings.parse(otherHost + anyHost))) {
        assertThat(store.take(CLAIM).join().remaining()).isEqualTo(7);
      }
      assertUnusableForGood(otherHost + ca + clientCertificate).hasMessageContaining("127.0.0.2");
      assertUnusableForGood(otherHost + "?verify=ca" + clientCertificate)
          .hasMessageContaining("certif");
      assertUnusable(url + "?cert=" + client.certificate() + "&key=" + client.key())
          .hasMessageContaining("certif");
      assertUnusable(url + ca)
          .hasMessageStartingWith("Redis at standalone localhost:" + port + ": ");
      assertUnusable("redis://localhost:" + port)
          .hasMessageStartingWith("Redis at standalone localhost:" + port + ": ");
      assertUnusable("rediss://localhost:" + redis.port() + ca + clientCertificate)
          .hasMessageStartingWith("Redis at standalone localhost:" + redis.port() + ": ");
      assertUnusableForGood(url + "?ca=" + directory.resolve("none.pem"))
          .hasMessageContaining("none.pem: cannot be read");
      assertUnusable(url + "?ca=" + server.key())
          .hasMessageContaining("server-key.pem: no certificate (expected: one");
    }
  }
}
