package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

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

/** What a server writes, as whoever collects logs gets it. */
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

  /** Makes a server that runs refuse a version, which it says in many words. */
  private void refuse(Serving server) throws Exception {
    Path next = directory.resolve("next");
    Files.writeString(next, "rules:\n  - \"\\e[2J\": 1\n  - nonsense: 2\n");
    Files.move(next, rules, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    server.awaitSaid("are refused");
  }

  @Test
  void eachRecordIsALineOfText() throws Exception {
    try (Serving server = Serving.start(Map.of(), "--rules", rules).ready()) {
      refuse(server);
      Ran ran = server.stopped();
      assertThat(ran.err().lines()).allSatisfy(line -> assertThat(line).matches(LINE));
      assertThat(ran.err())
          .contains("ERROR Rules from ", "nonsense", "\\n")
          .contains("INFO  Draining", "INFO  Stopped")
          .doesNotContain("lambda", "\u001b");
      assertThat(ran.out()).doesNotContainPattern("(?m)^20");
    }
  }

  @Test
  void eachLineIsJsonIfWanted() throws Exception {
    try (Serving server =
        Serving.start(Map.of(), "--rules", rules, "--log-format", "json").ready()) {
      refuse(server);
      Ran ran = server.stopped();
      assertThat(ran.out()).isEmpty();
      List<JsonObject> lines = ran.err().lines().map(JsonObject::new).toList();
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
  void whyItDoesNotStartIsJsonToo() throws Exception {
    Files.writeString(rules, "rules: 1\n");
    Ran refused = Serving.start(Map.of(), "--rules", rules, "--log-format", "json").ran();
    assertThat(refused.exit()).isEqualTo(1);
    assertThat(new JsonObject(refused.err()).getString("message")).contains("rules.yaml:1:8: ");
    Ran missing = Serving.start(Map.of(), "--store-file", "none", "--log-format", "json").ran();
    assertThat(missing.exit()).isEqualTo(2);
    assertThat(new JsonObject(missing.err()).getString("message"))
        .isEqualTo("weir: --store-file: none: no such file or directory");
  }

  @Test
  void waitingForTheStoreAtTheStartIsLogged() throws Exception {
    RedisServer redis = RedisServer.start();
    redis.close();
    try (Serving server = Serving.start(Map.of(), "--store", redis.url(), "--store-wait", 600)) {
      server.awaitSaid("Connection refused; trying again in 500 ms");
      Ran ran = server.stopped();
      assertThat(ran.exit()).as("it had nothing to drain").isEqualTo(143);
      assertThat(ran.err().lines())
          .allSatisfy(line -> assertThat(line).matches(LINE).contains("WARN  weir: Redis at "));
    }
  }

  @Test
  void howMuchIsLoggedCanBeChosen() throws Exception {
    try (Serving server =
        Serving.start(Map.of(), "--rules", rules, "--log-level", "error").ready()) {
      refuse(server);
      assertThat(server.stopped().err()).contains(" ERROR ").doesNotContain(" INFO ", " WARN ");
    }
  }

  @Test
  void theVariablesOfEnvoyproxyRatelimitChooseToo() throws Exception {
    Map<String, String> theirs =
        Map.of("USE_STATSD", "false", "LOG_LEVEL", "info", "LOG_FORMAT", "JSON");
    try (Serving server = Serving.start(theirs, "--rules", rules).ready()) {
      List<JsonObject> lines = server.stopped().err().lines().map(JsonObject::new).toList();
      assertThat(lines).extracting(line -> line.getString("level")).contains("WARN", "INFO");
    }
    assertThat(
            Serving.start(theirs, "--rules", rules, "--log-format", "text").ready().stopped().err())
        .contains("INFO  Stopped");
  }

  @Test
  void whatMakesNoSenseIsRefused() {
    assertThat(Ran.weir("serve", "--log-format", "xml").err())
        .isEqualTo("weir: --log-format: xml (expected: text or json)\n");
    assertThat(Ran.weir("serve", "--log-level", "loud").err())
        .isEqualTo("weir: --log-level: loud (expected: error, warn, info, debug or trace)\n");
    assertThat(Ran.in(Map.of("USE_STATSD", "0", "LOG_LEVEL", "loud"), false, "serve").err())
        .isEqualTo("weir: LOG_LEVEL: loud (expected: error, warn, info, debug or trace)\n");
  }
}
