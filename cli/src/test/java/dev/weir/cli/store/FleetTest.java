package dev.weir.cli.store;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.util.JSONObjectUtils;
import dev.weir.cli.CommandRun;
import dev.weir.cli.ServerProcess;
import dev.weir.key.KeySecret;
import dev.weir.testkit.Effort;
import dev.weir.testkit.redis.RedisServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Servers that share a Redis, each in a separate process, called over HTTP. */
class FleetTest {
  private static final int LIMIT = 20;
  private static final int LOCAL = 3;

  /** Long enough for a busy machine. */
  private static final Duration DEADLINE = Duration.ofSeconds(1);

  private static final Duration TOLERANCE = Duration.ofSeconds(2);
  private static final Duration RECOVERY = Duration.ofSeconds(60);
  private static final String RULES =
      """
      rules:
        - {name: open, match: {path: /open}, limit: 20/day, algorithm: fixed-window, when-store-fails: allow}
        - {name: full, match: {path: /full}, limit: 20/day, algorithm: fixed-window, when-store-fails: deny}
        - {name: shut, match: {path: /shut}, limit: 20/day, algorithm: fixed-window, when-store-fails: deny}
        - {name: back, match: {path: /back}, limit: 20/day, algorithm: fixed-window, when-store-fails: deny}
        - {name: flight, match: {path: /flight}, concurrent: 1, when-store-fails: deny}
        - {name: here, match: {path: /here}, limit: 6/day, algorithm: fixed-window, when-store-fails: local}
      """;

  private final RedisServer redis = RedisServer.start("requirepass s3cret", "unixsocket weir.sock");

  @TempDir private Path directory = Path.of("");

  private Path rules = Path.of("");

  @BeforeEach
  void writeRules() throws Exception {
    rules = Files.writeString(directory.resolve("rules.yaml"), RULES);
  }

  @AfterEach
  void stop() {
    redis.close();
  }

  private String url() {
    return "redis://:s3cret@127.0.0.1:%d?deadline=%dms"
        .formatted(redis.port(), DEADLINE.toMillis());
  }

  @Test
  void twoServersEnforceOneLimitAndEachRulesFailureMode() throws Exception {
    Path file = Files.writeString(directory.resolve("store"), url() + "\nnot read\n");
    try (ServerProcess one = ServerProcess.start(Map.of(), "--rules", rules, "--store-file", file);
        ServerProcess two = ServerProcess.start(Map.of("WEIR_STORE", url()), "--rules", rules)) {
      List<ServerProcess> both = List.of(one.awaitReady(), two.awaitReady());
      assertThat(one.output()).contains("counters in Redis, ").doesNotContain("s3cret");
      for (ServerProcess server : both) {
        awaitReadiness(server, "\"servers\":2"); // each may grant three of six locally
      }
      // The first request of a server is slow.
      for (ServerProcess server : both) {
        server.check("/open");
      }
      assertThat(passed(both, "/full", 429)).isEqualTo(LIMIT);
      permitOfOneServerIsReleasedByAnother(one, two);
      String secret = redis.text("GET", "w:key-secret");

      redis.kill();
      assertFailureModes(both, LOCAL + 2, LOCAL);
      awaitStore(one, false);
      assertThat(one.get("/readyz").statusCode()).isEqualTo(200);

      redis.restart();
      awaitStore(one, true);
      awaitStore(two, true);
      // Redis has lost all keys, but the servers still derive the same ones.
      assertThat(passed(both, "/back", 429)).isEqualTo(LIMIT);
      awaitSecret(secret);

      redis.pause();
      assertFailureModes(both, 1, 0);
      redis.resume();
      awaitStore(one, true);
      awaitStore(two, true);
      assertThat(passed(both, "/back", 429)).isZero();
    }
  }

  private static void permitOfOneServerIsReleasedByAnother(ServerProcess one, ServerProcess another)
      throws Exception {
    String flight = "{\"values\": {\"path\": \"/flight\"}}";
    Map<String, Object> decision = JSONObjectUtils.parse(one.post("/v1/decide", flight).body());
    assertThat(another.post("/v1/decide", flight).body()).contains("\"allowed\":false");
    String release = "{\"permit\": \"" + decision.get("permit") + "\"}";
    assertThat(another.post("/v1/release", release).body()).isEqualTo("{\"held\":false}");
    assertThat(one.post("/v1/decide", flight).body()).contains("\"allowed\":true");
  }

  /**
   * Sends requests to the servers in turn, half as many again as the limit; returns how many
   * passed.
   */
  private static int passed(List<ServerProcess> servers, String path, int otherwise)
      throws Exception {
    int passed = 0;
    for (int i = 0; i < LIMIT * 3 / 2; i++) {
      int status = servers.get(i % servers.size()).check(path);
      assertThat(status).isIn(200, otherwise);
      passed += status == 200 ? 1 : 0;
    }
    return passed;
  }

  private static void assertFailureModes(List<ServerProcess> servers, int times, int local)
      throws Exception {
    for (ServerProcess server : servers) {
      for (int i = 0; i < times; i++) {
        assertStatusInTime(server, "/open", 200);
        assertStatusInTime(server, "/shut", 503);
        assertStatusInTime(server, "/here", i < local ? 200 : 429);
      }
    }
  }

  private static void assertStatusInTime(ServerProcess server, String path, int status)
      throws Exception {
    long start = System.nanoTime();
    assertThat(server.check(path)).as(path).isEqualTo(status);
    if (Effort.isThorough()) {
      assertThat(Duration.ofNanos(System.nanoTime() - start))
          .as(path)
          .isLessThan(DEADLINE.plus(TOLERANCE));
    }
  }

  private static void awaitStore(ServerProcess server, boolean answers) throws Exception {
    awaitReadiness(server, "\"store\":{\"kind\":\"redis\",\"answers\":" + answers + ",");
  }

  private static void awaitReadiness(ServerProcess server, String expected) throws Exception {
    long start = System.nanoTime();
    String body = "";
    while (!body.contains(expected)) {
      assertThat(System.nanoTime() - start).as(body).isLessThan(RECOVERY.toNanos());
      Thread.sleep(50);
      body = server.admin("/readyz").body();
    }
  }

  private void awaitSecret(String secret) throws Exception {
    for (int i = 0; i < 600 && redis.command("GET", "w:key-secret") == null; i++) {
      Thread.sleep(50);
    }
    assertThat(redis.text("GET", "w:key-secret")).isEqualTo(secret);
  }

  private CommandRun refused(Map<String, String> environment, Object... flags) {
    Object[] words = new Object[flags.length + 5];
    System.arraycopy(new Object[] {"serve", "--port", 0, "--admin-port", 0}, 0, words, 0, 5);
    System.arraycopy(flags, 0, words, 5, flags.length);
    CommandRun run = CommandRun.in(environment, false, words).assertHarmless();
    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).startsWith("weir: ").doesNotContain("s3cret", "wr0ng");
    return run;
  }

  private String prefix() {
    return "weir: Redis at standalone 127.0.0.1:" + redis.port() + ": ";
  }

  @Test
  void startFailuresAreReportedInOneLine() {
    String address = "@127.0.0.1:" + redis.port();
    assertThat(refused(Map.of(), "--store", "redis://:wr0ng" + address).err())
        .startsWith(prefix() + "WRONGPASS ")
        .hasLineCount(1);
    assertThat(refused(Map.of("WEIR_STORE", "redis://127.0.0.1:" + redis.port())).err())
        .isEqualTo(
            prefix()
                + "NOAUTH, a password is required (expected: one in the URL, user:password@ or"
                + " :password@)\n");
    redis.command("ACL", "SETUSER", "ann", "on", ">s3cret", "~*", "+@all", "-@scripting");
    assertThat(refused(Map.of(), "--store", "redis://ann:s3cret" + address).err())
        .startsWith(prefix() + "NOPERM ")
        .hasLineCount(1);
    redis.kill();
    assertThat(refused(Map.of(), "--store", url(), "--store-required").err())
        .isEqualTo(prefix() + "Connection refused\n");
    String cluster = "redis-cluster" + url().substring(5);
    assertThat(refused(Map.of(), "--store", cluster, "--store-required").err())
        .startsWith("weir: Redis at cluster 127.0.0.1:" + redis.port() + ": Connection refused")
        .hasLineCount(1);
    assertThat(refused(Map.of(), "--store", url(), "--store-wait", 1, "--store-required").err())
        .isEqualTo(prefix() + "Connection refused\n");
  }

  @Test
  void outdatedRedisIsReportedInOneLine() throws Exception {
    try (OldRedis old = new OldRedis()) {
      assertThat(refused(Map.of(), "--store", "redis://127.0.0.1:" + old.port()).err())
          .isEqualTo(
              "weir: Redis at standalone 127.0.0.1:%d: version 5.0 (expected: 6.2 or newer)\n"
                  .formatted(old.port()));
    }
  }

  @Test
  void serverWithADifferentSecretIsRefused() throws Exception {
    String theirs = "00112233445566778899aabbccddeeff";
    redis.command("SET", "w:key-secret", theirs);
    Path other = Files.writeString(directory.resolve("secret"), theirs.replace('f', '0'));
    String different =
        "its servers use a different key secret (expected: the same for all; to change it, stop them"
            + " and delete the key w:key-secret)\n";
    assertThat(refused(Map.of(), "--store", url(), "--key-secret-file", other).err())
        .isEqualTo(prefix() + different);
    redis.command("SET", "w:key-secret", KeySecret.parse(theirs).orElseThrow().fingerprint());
    assertThat(refused(Map.of("WEIR_KEY_SECRET", theirs.replace('0', '1')), "--store", url()).err())
        .isEqualTo(prefix() + different);
    assertThat(refused(Map.of(), "--store", url()).err())
        .isEqualTo(
            prefix()
                + "its servers share a key secret that is not stored there (expected:"
                + " --key-secret-file or WEIR_KEY_SECRET with that secret)\n");
    assertThat(refused(Map.of("WEIR_KEY_SECRET", "short"), "--store", url()).err())
        .isEqualTo("weir: WEIR_KEY_SECRET: no key secret (expected: 32 hexadecimal digits)\n");
  }

  @Test
  void configuredSecretIsNotStoredInRedis() throws Exception {
    String secret = "00112233445566778899aabbccddeeff";
    String socket = "redis-socket://:s3cret@" + redis.directory().resolve("weir.sock");
    try (ServerProcess server =
        ServerProcess.start(Map.of("WEIR_KEY_SECRET", secret), "--store", socket)) {
      assertThat(server.awaitReady().check("/hello")).isEqualTo(200);
    }
    assertThat(redis.text("GET", "w:key-secret"))
        .isEqualTo(KeySecret.parse(secret).orElseThrow().fingerprint())
        .startsWith("sha256:")
        .doesNotContain(secret);
  }
}
