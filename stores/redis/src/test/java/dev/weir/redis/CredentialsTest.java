package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Claim;
import dev.weir.Limit;
import dev.weir.LimitKey;
import dev.weir.async.Continuations;
import dev.weir.redis.connection.RedisCredentials;
import dev.weir.redis.connection.RedisDriver;
import dev.weir.redis.connection.RedisSettings;
import dev.weir.redis.connection.RedisUnusable;
import dev.weir.testkit.redis.Await;
import dev.weir.testkit.redis.RedisCluster;
import dev.weir.testkit.redis.RedisSentinels;
import dev.weir.testkit.redis.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Credentials that a supplier gives before every connection, of users that Redis knows. */
@Timeout(300)
class CredentialsTest {
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final Limit LIMIT = Limit.tokenBucket(100, Duration.ofHours(1));

  private final Queue<String> askingThreads = new ConcurrentLinkedQueue<>();
  private volatile RedisCredentials current = new RedisCredentials("ann", "one");

  private RedisCredentials ask() {
    askingThreads.add(Thread.currentThread().getName());
    return current;
  }

  private static RedisStore connect(String url, Supplier<RedisCredentials> supplier) {
    return RedisStore.connect(
        RedisSettings.parse(url), RedisDriver.own().credentials(supplier), Continuations.shared());
  }

  private static boolean answers(RedisStore store, long key) {
    Claim claim = Claim.of(LIMIT, new LimitKey(key, key));
    return store
        .take(claim)
        .stage()
        .handle((done, failure) -> failure == null)
        .toCompletableFuture()
        .join();
  }

  private void rotate(String password, List<RedisServer> servers) {
    for (RedisServer server : servers) {
      server.command("ACL", "SETUSER", "ann", "on", "resetpass", ">" + password, "~*", "+@all");
    }
    current = new RedisCredentials("ann", password);
    for (RedisServer server : servers) {
      server.command("CLIENT", "KILL", "USER", "ann");
    }
  }

  @Test
  void rotatedPasswordIsUsedByTheNextConnection() {
    try (RedisServer redis = RedisServer.start("user ann on >one ~* +@all");
        RedisStore store = connect(redis.url() + "?deadline=5s", this::ask)) {
      assertThat(answers(store, 1)).isTrue();
      rotate("two", List.of(redis));
      Await.until("an answer with the new password", LONG, () -> answers(store, 1));
      assertThat(redis.text("CLIENT", "LIST")).contains("name=weir").contains("user=ann");
      String caller = Thread.currentThread().getName();
      assertThat(askingThreads)
          .as("asked at the start by the caller, and later on no event loop")
          .hasSizeGreaterThanOrEqualTo(3)
          .startsWith(caller)
          .containsOnly(caller, "weir-credentials");
    }
  }

  @Test
  void nodesOfAClusterAreConnectedWithTheNewPassword() {
    try (RedisCluster cluster =
        RedisCluster.start("cluster-node-timeout 15000", "user ann on >one ~* +@all")) {
      String url = "redis-cluster://127.0.0.1:" + cluster.nodes().get(0).port() + "?deadline=5s";
      try (RedisStore store = connect(url, this::ask)) {
        assertThat(answers(store, 1)).isTrue();
        rotate("two", cluster.nodes());
        for (int key = 0; key < 20; key++) { // on all masters
          int one = key;
          Await.until("an answer for key " + key, LONG, () -> answers(store, one));
        }
        assertThat(askingThreads)
            .containsOnly(Thread.currentThread().getName(), "weir-credentials");
      }
    }
  }

  @Test
  void masterBehindSentinelsIsConnectedWithSuppliedCredentials() {
    try (RedisSentinels all = RedisSentinels.start()) {
      for (RedisServer server : all.servers()) {
        server.command("ACL", "SETUSER", "ann", "on", ">one", "~*", "+@all");
      }
      String sentinel = "127.0.0.1:" + all.sentinels().get(0).port();
      String url = "redis-sentinel://" + sentinel + "?deadline=5s&master=" + RedisSentinels.NAME;
      try (RedisStore store = connect(url, this::ask)) {
        assertThat(answers(store, 1)).isTrue();
        assertThat(all.master().text("CLIENT", "LIST")).contains("user=ann");
      }
    }
  }

  @Test
  void lastCredentialsAreUsedWhileTheSupplierFailsOrHangs() {
    CountDownLatch never = new CountDownLatch(1);
    Queue<Integer> calls = new ConcurrentLinkedQueue<>();
    Supplier<RedisCredentials> unreliable =
        () -> {
          calls.add(calls.size());
          switch (calls.size()) {
            case 1, 2 -> {
              return current;
            }
            case 3 -> throw new IllegalStateException("no token");
            default -> {
              try {
                never.await();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
              return current;
            }
          }
        };
    try (RedisServer redis = RedisServer.start("user ann on >one ~* +@all");
        RedisStore store = connect(redis.url() + "?deadline=5s", unreliable)) {
      assertThat(answers(store, 1)).isTrue();
      for (int kill = 0; kill < 2; kill++) {
        redis.command("CLIENT", "KILL", "USER", "ann");
        Await.until("an answer on a new connection", LONG, () -> answers(store, 1));
      }
      assertThat(calls).hasSizeGreaterThanOrEqualTo(4);
      never.countDown();
    }
  }

  @Test
  void supplierThatFailsAtTheStartIsReportedWithItsReason() {
    try (RedisServer redis = RedisServer.start()) {
      String address = "Redis at standalone 127.0.0.1:" + redis.port();
      assertThatThrownBy(
              () ->
                  connect(
                      redis.url(),
                      () -> {
                        throw new IllegalStateException("no token");
                      }))
          .isInstanceOf(RedisUnusable.class)
          .hasMessage(address + ": credentials: no token");
      assertThatThrownBy(() -> connect(redis.url(), CredentialsTest::nothing))
          .isInstanceOf(RedisUnusable.class)
          .hasMessage(address + ": credentials: null (expected: a password)");
      assertThatThrownBy(() -> connect(redis.url(), () -> new RedisCredentials("ann", "wrong")))
          .isInstanceOf(RedisUnusable.class)
          .hasMessageContaining("WRONGPASS");
      assertThatThrownBy(() -> connect("redis://:a@127.0.0.1:" + redis.port(), this::ask))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("credentials: in the URL and by a supplier (expected: one of them)");
    }
  }

  @SuppressWarnings("NullAway") // what a careless supplier does
  private static RedisCredentials nothing() {
    return null;
  }

  @Test
  void passwordIsNeitherEmptyNorPrinted() {
    assertThat(new RedisCredentials("ann", "secret")).hasToString("ann:***");
    assertThat(RedisCredentials.password("secret")).hasToString("default:***");
    assertThatThrownBy(() -> RedisCredentials.password(""))
        .hasMessage("password: none (expected: at least one character)");
  }
}
