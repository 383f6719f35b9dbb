package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Claim;
import dev.weir.Limit;
import dev.weir.LimitKey;
import dev.weir.StoreFailure;
import dev.weir.guard.Roster;
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
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletionStage;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A Redis that cannot be used is refused at the start, in one line that says where and why. */
@Timeout(120)
class StartTest {
  private static final Duration LASTING = Duration.ofSeconds(10);
  private static final Claim CLAIM =
      Claim.of(Limit.tokenBucket(10, Duration.ofHours(1)), new LimitKey(1, 2));

  private static AbstractThrowableAssert<?, ?> refusal(String url) {
    return assertThatThrownBy(() -> RedisStore.connect(RedisSettings.parse(url)).close())
        .isInstanceOf(RedisUnusable.class)
        .satisfies(
            refused ->
                assertThat(refused.getMessage())
                    .doesNotContain("\n", "secret")
                    .hasSizeLessThan(300));
  }

  @Test
  void nobodyListens() {
    try (RedisServer redis = RedisServer.start()) {
      int port = redis.port();
      redis.kill();
      refusal("redis://:secret@127.0.0.1:" + port)
          .hasMessageStartingWith("Redis at standalone 127.0.0.1:" + port + ": ")
          .hasMessageContaining("Connection refused");
      refusal("redis-cluster://:secret@127.0.0.1:" + port)
          .hasMessageStartingWith("Redis at cluster 127.0.0.1:" + port + ": ")
          .hasMessageContaining("Connection refused");
      refusal("redis-sentinel://:secret@127.0.0.1:" + port + "?master=main")
          .hasMessageStartingWith("Redis at sentinel 127.0.0.1:" + port + ": ");
    }
  }

  @Test
  void wrongPassword() {
    try (RedisServer redis = RedisServer.start("requirepass open-sesame")) {
      String where = "127.0.0.1:" + redis.port();
      refusal("redis://:secret@" + where)
          .hasMessageStartingWith("Redis at standalone " + where + ": WRONGPASS ");
      refusal("redis://" + where)
          .hasMessageStartingWith("Redis at standalone " + where + ": ")
          .hasMessageContaining("NOAUTH");
    }
  }

  @Test
  void sentinelsThatWantAPassword() {
    try (RedisSentinels all = RedisSentinels.start()) {
      String where = "redis-sentinel://127.0.0.1:" + all.sentinels().get(0).port();
      String url = where + "?master=" + RedisSentinels.NAME;
      for (RedisServer sentinel : all.sentinels()) {
        sentinel.command("ACL", "SETUSER", "default", "resetpass", ">secret");
      }
      refusal(url).hasMessageContaining("NOAUTH");
      RedisStore.connect(RedisSettings.parse(url + "&sentinel-password=secret")).close();
      RedisStore.connect(
              RedisSettings.parse(url + "&sentinel-user=default&sentinel-password=secret"))
          .close();
    }
  }

  @Test
  void whoMayNotRunScripts() {
    try (RedisServer redis =
        RedisServer.start(
            "user noscript on >secret ~* +@all -evalsha -eval",
            "user nokeys on >secret ~other:* +@all",
            "user nowrites on >secret ~* +@all -psetex",
            "user nodeletes on >secret ~* +@all -del",
            "user norewrites on >secret ~* +@all -set",
            "user least on >secret ~w:* +evalsha +eval +time +mget +psetex +set +del",
            "user leastest on >secret ~w:* -@all +evalsha +eval +time +mget +psetex +set +del"
                + " +hello +auth +ping")) {
      String where = "@127.0.0.1:" + redis.port();
      for (String user :
          new String[] {"noscript", "nokeys", "nowrites", "norewrites", "nodeletes"}) {
        refusal("redis://" + user + ":secret" + where)
            .hasMessageStartingWith("Redis at standalone 127.0.0.1:" + redis.port() + ": ")
            .message()
            .satisfies(
                line ->
                    assertThat(line.toLowerCase(Locale.ROOT))
                        .containsAnyOf("noperm", "can't run", "no permission"));
      }
      for (String user : new String[] {"least", "leastest"}) {
        RedisStore.connect(RedisSettings.parse("redis://" + user + ":secret" + where)).close();
      }
      assertThat(redis.number("DBSIZE")).as("nothing is left of the trial").isZero();
    }
  }

  @ParameterizedTest
  @EnumSource
  void theUserThatTheManualMakesIsAllThatIsNeeded(Binaries binary) throws IOException {
    String line =
        Files.readAllLines(Path.of("../docs/redis.md")).stream()
            .filter(one -> one.startsWith("ACL SETUSER "))
            .findFirst()
            .orElseThrow()
            .replace("PASSWORD", "secret");
    try (RedisServer redis = RedisServer.start(binary.get())) {
      redis.command(line.split(" "));
      RedisSettings settings = RedisSettings.parse("redis://weir:secret@127.0.0.1:" + redis.port());
      try (RedisStore store = RedisStore.connect(settings)) {
        assertThat(store.keep("note", "text").toCompletableFuture().join()).isEqualTo("text");
        Roster roster = store.roster();
        assertThat(roster.announce("a", LASTING).toCompletableFuture().join().servers())
            .containsExactly("a");
        roster.leave("a").toCompletableFuture().join();
      }
    }
  }

  /** Such as the manual made before there was a roster. */
  @ParameterizedTest
  @EnumSource
  void whoMayNotKeepTheRosterMayDecide(Binaries binary) {
    try (RedisServer redis =
        RedisServer.start(
            binary.get(),
            "user ann on >secret ~w:* +evalsha +eval +time +mget +psetex +set +del +ping")) {
      String url = "redis://ann:secret@127.0.0.1:" + redis.port() + "?deadline=5s";
      try (RedisStore store = RedisStore.connect(RedisSettings.parse(url))) {
        for (CompletionStage<?> asked :
            List.of(store.roster().announce("a", LASTING), store.roster().leave("a"))) {
          assertThatThrownBy(asked.toCompletableFuture()::join)
              .cause()
              .isInstanceOf(StoreFailure.class)
              .hasMessageStartingWith("Redis refused: ");
        }
        assertThat(store.take(CLAIM).join().remaining()).isEqualTo(9);
      }
    }
  }

  @Test
  void aReplica() {
    try (RedisServer redis = RedisServer.start()) {
      redis.command("REPLICAOF", "127.0.0.1", "1");
      refusal(redis.url()).hasMessageContaining("READONLY");
    }
  }

  @Test
  void noCluster() {
    try (RedisServer redis = RedisServer.start()) {
      refusal("redis-cluster://127.0.0.1:" + redis.port())
          .hasMessageContaining("cluster support disabled");
    }
  }

  /** No such old server is to be had, so one is played that only says how old it is. */
  @Test
  void tooOld() throws Exception {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Thread thread = new Thread(() -> playOldRedis(server));
      thread.setDaemon(true);
      thread.start();
      String where = "127.0.0.1:" + server.getLocalPort();
      refusal("redis://" + where)
          .hasMessage("Redis at standalone " + where + ": version 5.0 (expected: 6.2 or newer)");
    }
  }

  private static void playOldRedis(ServerSocket server) {
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
      // The client has gone.
    }
  }
}
