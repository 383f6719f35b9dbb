package dev.weir.cli.action;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.util.JSONObjectUtils;
import dev.weir.cli.CommandRun;
import dev.weir.cli.ServerProcess;
import dev.weir.testkit.Effort;
import dev.weir.testkit.redis.RedisServer;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Actions of two server processes that share a Redis. */
@Timeout(300)
class ActionFleetTest {
  private static final Duration PATIENCE = Duration.ofSeconds(90);

  /** From a request to one server until another one has the action in force. */
  private static final Duration BOUND = Duration.ofSeconds(2);

  private static final String RULES =
      """
      rules: [{name: all, limit: 3/day, algorithm: fixed-window, when-store-fails: local}]
      """;

  private final RedisServer redis = RedisServer.start();

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

  private ServerProcess start() throws Exception {
    String url = redis.url() + "?deadline=1s";
    return ServerProcess.start(Map.of(), "--rules", rules, "--store", url);
  }

  private static Map<String, Object> take(ServerProcess server, String action) throws Exception {
    HttpResponse<String> response =
        ServerProcess.send("POST", server.adminUrl() + "/actions", action);
    assertThat(response.statusCode()).as(response.body()).isEqualTo(201);
    return JSONObjectUtils.parse(response.body());
  }

  private static String multiply(String lasting) {
    return "{\"action\": \"multiply\", \"rule\": \"all\", \"factor\": 2, \"for\": \""
        + lasting
        + "\", \"why\": \"a test\"}";
  }

  private static List<?> actions(ServerProcess server) throws Exception {
    Object list = JSONObjectUtils.parse(server.admin("/actions").body()).get("actions");
    return (List<?>) Objects.requireNonNull(list);
  }

  private interface Condition {
    boolean holds() throws Exception;
  }

  private static Duration await(String expected, Condition condition) throws Exception {
    long start = System.nanoTime();
    while (!condition.holds()) {
      assertThat(System.nanoTime() - start).as(expected).isLessThan(PATIENCE.toNanos());
      TimeUnit.MILLISECONDS.sleep(20);
    }
    return Duration.ofNanos(System.nanoTime() - start);
  }

  private static long permits(ServerProcess server) throws Exception {
    Map<String, Object> json = JSONObjectUtils.parse(server.admin("/rules").body());
    return Long.parseLong(CommandRun.valueAt(json, "rules", 0, "limits", 0, "permits"));
  }

  @Test
  void actionReachesTheFleetSurvivesItsServerAndEndsByItself() throws Exception {
    try (ServerProcess one = start();
        ServerProcess two = start()) {
      one.awaitReady();
      two.awaitReady();
      assertThat(List.of(two.check("/"), two.check("/"), two.check("/"), two.check("/")))
          .containsExactly(200, 200, 200, 429);
      long taken = System.nanoTime();
      take(one, multiply("20s"));
      assertThat(permits(one)).isEqualTo(6);
      Duration reached = await("in force on the other server", () -> permits(two) == 6);
      if (Effort.isThorough()) {
        assertThat(reached).isLessThan(BOUND);
      }
      // The count is kept: three of six are spent.
      await("the cached denial is over", () -> two.check("/") == 200);
      one.kill();
      assertThat(permits(two)).isEqualTo(6);
      await("the end", () -> actions(two).isEmpty());
      Duration lasted = Duration.ofNanos(System.nanoTime() - taken);
      assertThat(lasted).isGreaterThan(Duration.ofSeconds(19));
      if (Effort.isThorough()) {
        assertThat(lasted).isLessThan(Duration.ofSeconds(21));
      }
      assertThat(permits(two)).isEqualTo(3);
      assertThat(two.check("/")).isEqualTo(429);
      assertThat(two.output()).contains("is in force: multiply all by 2x", "has ended");
    }
  }

  @Test
  void actionEndsOnTimeWithoutTheStoreWhichRefusesNewOnes() throws Exception {
    try (ServerProcess server = start().awaitReady()) {
      long taken = System.nanoTime();
      take(server, multiply("8s"));
      redis.kill();
      await(
          "a refusal",
          () -> {
            HttpResponse<String> refused =
                ServerProcess.send("POST", server.adminUrl() + "/actions", multiply("1h"));
            assertThat(refused.statusCode()).isEqualTo(503);
            assertThat(refused.body())
                .contains("the store does not answer, by which servers share");
            return refused.body().contains("\"effect\":\"none\"");
          });
      await("the end", () -> permits(server) == 3);
      Duration lasted = Duration.ofNanos(System.nanoTime() - taken);
      assertThat(lasted).isGreaterThan(Duration.ofSeconds(7));
      if (Effort.isThorough()) {
        assertThat(lasted).isLessThan(Duration.ofSeconds(9));
      }
      redis.restart();
      await(
          "an action",
          () ->
              ServerProcess.send("POST", server.adminUrl() + "/actions", multiply("1h"))
                      .statusCode()
                  == 201);
      assertThat(permits(server)).isEqualTo(6);
    }
  }

  @Test
  void actionThatTheStoreLostIsPutBackForServersThatStartLater() throws Exception {
    try (ServerProcess one = start().awaitReady()) {
      Object id = take(one, multiply("1h")).get("id");
      redis.command("FLUSHALL");
      await("put back", () -> redis.number("EXISTS", "w:{fleet}:table:actions") == 1);
      try (ServerProcess two = start().awaitReady()) {
        assertThat(actions(two).toString()).contains("id=" + id);
        assertThat(permits(two)).as("ready with the actions").isEqualTo(6);
        ServerProcess.send("DELETE", one.adminUrl() + "/actions/" + id, "");
        await("undone", () -> permits(two) == 3);
        assertThat(actions(two)).isEmpty();
      }
    }
  }
}
