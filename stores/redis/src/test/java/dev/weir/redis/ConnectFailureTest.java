package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Claim;
import dev.weir.Limit;
import dev.weir.LimitKey;
import dev.weir.StoreFailure;
import dev.weir.redis.connection.RedisSettings;
import dev.weir.redis.connection.RedisUnusable;
import dev.weir.shared.fleet.FleetTable;
import dev.weir.shared.fleet.Roster;
import dev.weir.testkit.Repository;
import dev.weir.testkit.redis.Binaries;
import dev.weir.testkit.redis.RedisSentinels;
import dev.weir.testkit.redis.RedisServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletionStage;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Connecting to an unusable Redis fails with one line that names the address and the reason. */
@Timeout(120)
class ConnectFailureTest {
  private static final Duration LASTING = Duration.ofSeconds(10);
  private static final Claim CLAIM =
      Claim.of(Limit.tokenBucket(10, Duration.ofHours(1)), new LimitKey(1, 2));

  private static AbstractThrowableAssert<?, ?> assertUnusable(String url) {
    return assertThatThrownBy(() -> RedisStore.connect(RedisSettings.parse(url)).close())
        .isInstanceOf(RedisUnusable.class)
        .satisfies(
            thrown ->
                assertThat(thrown.getMessage())
                    .doesNotContain("\n", "secret")
                    .hasSizeLessThan(300));
  }

  @Test
  void unreachableServerIsReportedWithItsAddress() {
    try (RedisServer redis = RedisServer.start()) {
      int port = redis.port();
      redis.kill();
      assertUnusable("redis://:secret@127.0.0.1:" + port)
          .hasMessageStartingWith("Redis at standalone 127.0.0.1:" + port + ": ")
          .hasMessageContaining("Connection refused");
      assertUnusable("redis-cluster://:secret@127.0.0.1:" + port)
          .hasMessageStartingWith("Redis at cluster 127.0.0.1:" + port + ": ")
          .hasMessageContaining("Connection refused");
      assertUnusable("redis-sentinel://:secret@127.0.0.1:" + port + "?master=main")
          .hasMessageStartingWith("Redis at sentinel 127.0.0.1:" + port + ": ");
    }
  }

  @Test
  void wrongOrMissingPasswordIsReported() {
    try (RedisServer redis = RedisServer.start("requirepass open-sesame")) {
      String address = "127.0.0.1:" + redis.port();
      assertUnusable("redis://:secret@" + address)
          .hasMessageStartingWith("Redis at standalone " + address + ": WRONGPASS ");
      assertUnusable("redis://" + address)
          .hasMessageStartingWith("Redis at standalone " + address + ": ")
          .hasMessageContaining("NOAUTH");
    }
  }

  @Test
  void sentinelPasswordIsUsed() {
    try (RedisSentinels all = RedisSentinels.start()) {
      String base = "redis-sentinel://127.0.0.1:" + all.sentinels().get(0).port();
      String url = base + "?master=" + RedisSentinels.NAME;
      for (RedisServer sentinel : all.sentinels()) {
        sentinel.command("ACL", "SETUSER", "default", "resetpass", ">secret");
      }
      assertUnusable(url).hasMessageContaining("NOAUTH");
      RedisStore.connect(RedisSettings.parse(url + "&sentinel-password=secret")).close();
      RedisStore.connect(
              RedisSettings.parse(url + "&sentinel-user=default&sentinel-password=secret"))
          .close();
    }
  }

  @Test
  void missingPermissionForScriptsIsReported() {
    try (RedisServer redis =
        RedisServer.start(
            "user noscript on >secret ~* +@all -evalsha -eval",
            "user nokeys on >secret ~other:* +@all",
            "user nowrites on >secret ~* +@all -psetex",
            "user nodeletes on >secret ~* +@all -del",
            "user norewrites on >secret ~* +@all -set",
            "user minimal on >secret ~w:* +evalsha +eval +time +mget +psetex +set +del",
            "user strict on >secret ~w:* -@all +evalsha +eval +time +mget +psetex +set +del"
                + " +hello +auth +ping")) {
      String where = "@127.0.0.1:" + redis.port();
      for (String user :
          new String[] {"noscript", "nokeys", "nowrites", "norewrites", "nodeletes"}) {
        assertUnusable("redis://" + user + ":secret" + where)
            .hasMessageStartingWith("Redis at standalone 127.0.0.1:" + redis.port() + ": ")
            .message()
            .satisfies(
                line ->
                    assertThat(line.toLowerCase(Locale.ROOT))
                        .containsAnyOf("noperm", "can't run", "no permission"));
      }
      for (String user : new String[] {"minimal", "strict"}) {
        RedisStore.connect(RedisSettings.parse("redis://" + user + ":secret" + where)).close();
      }
      assertThat(redis.number("DBSIZE")).as("keys left by the startup check").isZero();
    }
  }

  @ParameterizedTest
  @EnumSource
  void userFromTheDocumentationHasAllPermissions(Binaries binary) throws IOException {
    String line =
        Files.readAllLines(Repository.path("docs/redis.md")).stream()
            .filter(one -> one.startsWith("ACL SETUSER "))
            .findFirst()
            .orElseThrow()
            .replace("PASSWORD", "secret");
    try (RedisServer redis = RedisServer.start(binary.get())) {
      redis.command(line.split(" "));
      RedisSettings settings = RedisSettings.parse("redis://weir:secret@127.0.0.1:" + redis.port());
      try (RedisStore store = RedisStore.connect(settings)) {
        assertThat(store.setIfAbsent("note", "text").toCompletableFuture().join())
            .isEqualTo("text");
        Roster roster = store.roster();
        assertThat(roster.announce("a", LASTING).toCompletableFuture().join().servers())
            .containsExactly("a");
        roster.leave("a").toCompletableFuture().join();
        FleetTable table = store.tables().table("actions");
        table.put("a", new byte[1], Duration.ofMillis(1)).toCompletableFuture().join();
        table.put("b", new byte[1], LASTING).toCompletableFuture().join(); // after a has expired
        assertThat(table.remove(List.of("b")).toCompletableFuture().join().entries()).isPresent();
        assertThat(table.read("").toCompletableFuture().join().entries()).isPresent();
      }
    }
  }

  /** Such a user was documented before there was a roster. */
  @ParameterizedTest
  @EnumSource
  void userWithoutRosterPermissionsCanDecide(Binaries binary) {
    try (RedisServer redis =
        RedisServer.start(
            binary.get(),
            "user ann on >secret ~w:* +evalsha +eval +time +mget +psetex +set +del +ping")) {
      String url = "redis://ann:secret@127.0.0.1:" + redis.port() + "?deadline=5s";
      try (RedisStore store = RedisStore.connect(RedisSettings.parse(url))) {
        for (CompletionStage<?> call :
            List.of(
                store.roster().announce("a", LASTING),
                store.roster().leave("a"),
                store.tables().table("actions").read(""))) {
          assertThatThrownBy(call.toCompletableFuture()::join)
              .cause()
              .isInstanceOf(StoreFailure.class)
              .hasMessageStartingWith("Redis refused: ");
        }
        assertThat(store.take(CLAIM).join().remaining()).isEqualTo(9);
      }
    }
  }

  @Test
  void replicaIsReported() {
    try (RedisServer redis = RedisServer.start()) {
      redis.command("REPLICAOF", "127.0.0.1", "1");
      assertUnusable(redis.url()).hasMessageContaining("READONLY");
    }
  }

  @Test
  void serverWithoutClusterSupportIsReported() {
    try (RedisServer redis = RedisServer.start()) {
      assertUnusable("redis-cluster://127.0.0.1:" + redis.port())
          .hasMessageContaining("cluster support disabled");
    }
  }

  /** A fake server reports the version, because no such old one is available. */
  @Test
  void oldVersionIsReported() throws Exception {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Thread thread = new Thread(() -> serveOldRedis(server));
      thread.setDaemon(true);
      thread.start();
      String address = "127.0.0.1:" + server.getLocalPort();
      assertUnusable("redis://" + address)
          .hasMessage("Redis at standalone " + address + ": version 5.0 (expected: 6.2 or newer)");
    }
  }

  private static void serveOldRedis(ServerSocket server) {
    try (Socket socket = server.accept()) {
      BufferedReader in =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1));
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        String answer =
            switch (line) {
              case "HELLO" -> "-ERR unknown command `HELLO`\r\n";
              case "PING" -> "+PONG\r\n";
              case "CLIENT" -> "+OK\r\n";
              case "SCRIPT" -> "-ERR unknown command `SCRIPT`\r\n";
              case "INFO" -> "$21\r\nredis_version:5.0.14\n\r\n";
              default -> "";
            };
        socket.getOutputStream().write(answer.getBytes(StandardCharsets.US_ASCII));
      }
    } catch (IOException e) {
      // The client has disconnected.
    }
  }
}
