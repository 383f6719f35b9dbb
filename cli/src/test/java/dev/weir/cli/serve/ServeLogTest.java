package dev.weir.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cli.CommandRun;
import dev.weir.cli.ServerProcess;
import dev.weir.testkit.redis.RedisServer;
import io.vertx.core.json.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The log of a server, as a log collector reads it. */
class ServeLogTest {
  private static final String LINE =
      "20[0-9-]{8}T[0-9:]{8}\\.[0-9]{3}Z (ERROR|WARN |INFO |DEBUG|TRACE) [ -~]+";

  @TempDir private Path directory = Path.of("");

  private Path rules = Path.of("");

  @BeforeEach
  void writeRules() throws Exception {
    rules =
        Files.writeString(directory.resolve("rules.yaml"), "rules: [{name: all, limit: 9/day}]\n");
  }

  /** Makes a running server refuse a version of the rules, which it logs at length. */
  private void replaceByInvalidRules(ServerProcess server) throws Exception {
    Path next = directory.resolve("next");
    Files.writeString(next, "rules:\n  - \"\\e[2J\": 1\n  - nonsense: 2\n");
    Files.move(next, rules, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    server.awaitOutput("are rejected");
  }

  @Test
  void eachRecordIsALineOfText() throws Exception {
    try (ServerProcess server = ServerProcess.start(Map.of(), "--rules", rules).awaitReady()) {
      replaceByInvalidRules(server);
      CommandRun run = server.stopAndAwaitExit();
      assertThat(run.err().lines()).allSatisfy(line -> assertThat(line).matches(LINE));
      assertThat(run.err())
          .contains("ERROR Rules from ", "nonsense", "\\n")
          .contains("INFO  Draining", "INFO  Stopped")
          .doesNotContain("lambda", "\u001b");
      assertThat(run.out()).doesNotContainPattern("(?m)^20");
    }
  }

  @Test
  void eachLineIsJsonInJsonFormat() throws Exception {
    try (ServerProcess server =
        ServerProcess.start(Map.of(), "--rules", rules, "--log-format", "json").awaitReady()) {
      replaceByInvalidRules(server);
      CommandRun run = server.stopAndAwaitExit();
      assertThat(run.out()).isEmpty();
      List<JsonObject> lines = run.err().lines().map(JsonObject::new).toList();
      assertThat(lines)
          .allSatisfy(
              line -> assertThat(line.fieldNames()).contains("time", "level", "logger", "message"));
      assertThat(lines)
          .extracting(line -> line.getString("level") + " " + line.getString("message"))
          .anyMatch(line -> line.startsWith("INFO weir: traffic on http://"))
          .anyMatch(line -> line.startsWith("ERROR Rules from "))
          .anyMatch(line -> line.startsWith("INFO Stopped"));
    }
  }

  @Test
  void startFailuresAreJsonInJsonFormat() throws Exception {
    Files.writeString(rules, "rules: 1\n");
    CommandRun refused =
        ServerProcess.start(Map.of(), "--rules", rules, "--log-format", "json").awaitExit();
    assertThat(refused.exit()).isEqualTo(1);
    assertThat(new JsonObject(refused.err()).getString("message")).contains("rules.yaml:1:8: ");
    CommandRun missing =
        ServerProcess.start(Map.of(), "--store-file", "none", "--log-format", "json").awaitExit();
    assertThat(missing.exit()).isEqualTo(2);
    assertThat(new JsonObject(missing.err()).getString("message"))
        .isEqualTo("weir: --store-file: none: no such file or directory");
  }

  @Test
  void waitingForTheStoreAtTheStartIsLogged() throws Exception {
    RedisServer redis = RedisServer.start();
    redis.close();
    try (ServerProcess server =
        ServerProcess.start(Map.of(), "--store", redis.url(), "--store-wait", 600)) {
      server.awaitOutput("Connection refused; trying again in 500 ms");
      CommandRun run = server.stopAndAwaitExit();
      assertThat(run.exit()).as("nothing to drain").isEqualTo(143);
      assertThat(run.err().lines())
          .allSatisfy(line -> assertThat(line).matches(LINE).contains("WARN  weir: Redis at "));
    }
  }

  @Test
  void logLevelIsConfigurable() throws Exception {
    try (ServerProcess server =
        ServerProcess.start(Map.of(), "--rules", rules, "--log-level", "error").awaitReady()) {
      replaceByInvalidRules(server);
      assertThat(server.stopAndAwaitExit().err())
          .contains(" ERROR ")
          .doesNotContain(" INFO ", " WARN ");
    }
  }

  @Test
  void variablesOfEnvoyproxyRatelimitConfigureTheLog() throws Exception {
    Map<String, String> environment =
        Map.of("USE_STATSD", "false", "LOG_LEVEL", "info", "LOG_FORMAT", "JSON");
    try (ServerProcess server = ServerProcess.start(environment, "--rules", rules).awaitReady()) {
      List<JsonObject> lines =
          server.stopAndAwaitExit().err().lines().map(JsonObject::new).toList();
      assertThat(lines).extracting(line -> line.getString("level")).contains("WARN", "INFO");
    }
    assertThat(
            ServerProcess.start(environment, "--rules", rules, "--log-format", "text")
                .awaitReady()
                .stopAndAwaitExit()
                .err())
        .contains("INFO  Stopped");
  }

  @Test
  void invalidLogFlagsAreRefused() {
    assertThat(CommandRun.weir("serve", "--log-format", "xml").err())
        .isEqualTo("weir: --log-format: xml (expected: text or json)\n");
    assertThat(CommandRun.weir("serve", "--log-level", "loud").err())
        .isEqualTo("weir: --log-level: loud (expected: error, warn, info, debug or trace)\n");
    assertThat(CommandRun.in(Map.of("USE_STATSD", "0", "LOG_LEVEL", "loud"), false, "serve").err())
        .isEqualTo("weir: LOG_LEVEL: loud (expected: error, warn, info, debug or trace)\n");
  }
}
