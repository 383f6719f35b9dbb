package dev.weir.redis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Claim;
import dev.weir.Limit;
import dev.weir.StoreFailure;
import dev.weir.async.Continuations;
import dev.weir.redis.connection.RedisDriver;
import dev.weir.redis.connection.RedisSettings;
import dev.weir.redis.connection.RedisUnusable;
import dev.weir.testkit.redis.Await;
import dev.weir.testkit.redis.RedisSentinels;
import dev.weir.testkit.redis.RedisServer;
import dev.weir.testkit.redis.RespConnection;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What stops the start of a server on Redis, what does not, and how it ends before it joined. */
@Timeout(180)
class SharedRedisStartTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private static SharedRedis open(String url) throws Exception {
    return SharedRedis.open(
        RedisSettings.parse(url), RedisDriver.own(), null, Continuations.shared());
  }

  private static SharedRedis connect(String url) throws Exception {
    return SharedRedis.connect(
        RedisSettings.parse(url), RedisDriver.own(), null, Continuations.shared());
  }

  @Test
  void redisThatIsNotReadyOrNotThereIsNoReasonNotToStart() throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      String address = "redis://127.0.0.1:" + silent.getLocalPort() + "?connect-timeout=100ms";
      assertStarts(address);
    }
    try (SharedRedis redis = open("redis://no-such-host.invalid")) {
      assertThat(redis.unreachable()).contains("the name of the host is unknown");
    }
    int closed = closedPort();
    assertStarts("redis://127.0.0.1:" + closed);
    assertStarts("redis-cluster://127.0.0.1:" + closed);
    assertStarts("redis-sentinel://127.0.0.1:" + closed + "?master=main");
  }

  private static void assertStarts(String url) throws Exception {
    try (SharedRedis redis = open(url)) {
      assertThat(redis.unreachable()).as(url).isPresent();
    }
    assertThatThrownBy(() -> connect(url)).as(url).isInstanceOf(RedisUnusable.class);
  }

  private static int closedPort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  @Test
  void wrongConfigurationStopsTheStart() throws Exception {
    try (RedisServer server = RedisServer.start("requirepass open-sesame");
        RedisServer plain = RedisServer.start();
        RedisSentinels sentinels = RedisSentinels.start()) {
      String address = "127.0.0.1:" + server.port();
      assertStops("redis://:wrong@" + address, "WRONGPASS");
      assertStops("redis://" + address, "NOAUTH");
      assertStops("redis-cluster://127.0.0.1:" + plain.port(), "cluster support disabled");
      try (ServerSocket web = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
        Thread thread = new Thread(() -> answerLikeAWebServer(web));
        thread.setDaemon(true);
        thread.start();
        assertStops("redis://127.0.0.1:" + web.getLocalPort(), "does not speak the protocol");
      }
      String sentinel = "redis-sentinel://127.0.0.1:" + sentinels.sentinels().get(0).port();
      assertStops(sentinel + "?master=nobody", "nobody");
      plain.command("REPLICAOF", "127.0.0.1", "1");
      assertStops(plain.url(), "READONLY");
    }
  }

  private static void answerLikeAWebServer(ServerSocket server) {
    try {
      while (true) {
        try (Socket socket = server.accept()) {
          int unused = socket.getInputStream().read(new byte[1_024]);
          socket.getOutputStream().write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(UTF_8));
          socket.shutdownOutput();
          socket.getInputStream().transferTo(OutputStream.nullOutputStream());
        }
      }
    } catch (IOException e) {
      // The test is over.
    }
  }

  @Test
  void redisWithTooManyClientsIsNoReasonNotToStart() throws Exception {
    try (RedisServer server = RedisServer.start();
        RespConnection only = server.connect()) {
      only.command("CONFIG", "SET", "maxclients", "1");
      assertStarts(server.url());
    }
  }

  private static void assertStops(String url, String reason) {
    assertThatThrownBy(() -> open(url).close())
        .as(url)
        .isInstanceOfSatisfying(
            RedisUnusable.class, failure -> assertThat(failure.isTemporary()).isFalse())
        .hasMessageContaining(reason);
  }

  @Test
  void closingDuringAnAttemptToConnectLeavesNoThread() throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      String url = "redis://127.0.0.1:" + silent.getLocalPort();
      Set<Thread> before = Thread.getAllStackTraces().keySet();
      Socket second = connectedWhileClosing(url, silent);
      Await.until("no thread of the driver", LIMIT, () -> noneLeft(before));
      second.close();
    }
  }

  /** Closes as soon as the second attempt has connected, which nobody answers. */
  private static Socket connectedWhileClosing(String url, ServerSocket silent) throws Exception {
    Thread first = new Thread(() -> closeQuietly(silent));
    first.start();
    SharedRedis redis = open(url);
    first.join();
    Socket second = silent.accept();
    redis.close();
    return second;
  }

  private static void closeQuietly(ServerSocket silent) {
    try {
      silent.accept().close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean noneLeft(Set<Thread> before) {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> !before.contains(thread))
        .noneMatch(thread -> thread.getName().startsWith("lettuce-"));
  }

  @Test
  void closingEndsTheAttemptsToConnect() throws Exception {
    try (RedisServer server = RedisServer.start()) {
      server.kill();
      SharedRedis redis = open(server.url());
      redis.close();
      server.restart();
      Claim claim = Claim.of(Limit.fixedWindow(1, LIMIT), redis.keys().key("ann"));
      assertThatThrownBy(() -> redis.take(claim).join()).isInstanceOf(StoreFailure.class);
      assertThat(server.command("GET", "w:key-secret")).isNull();
    }
  }
}
