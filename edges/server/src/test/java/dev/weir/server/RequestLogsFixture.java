package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Store;
import dev.weir.memory.MemoryStore;
import dev.weir.server.log.LogFormat;
import dev.weir.server.settings.ServerSettings;
import dev.weir.server.settings.TelemetrySettings;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.io.TempDir;

/** A server that writes an access log and a log of denials, and what they have. */
abstract class RequestLogsFixture {
  static final int LONG_MILLIS = 60_000;
  static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
  static final String RULES =
      """
      identity: {user: header x-user}
      rules:
        - {name: two, match: {path: /two}, per: user, limit: 2/day, algorithm: fixed-window}
        - {name: bad-ones, match: {path: /bad}, limit: blocked}
        - {name: store, match: {path: /deny}, limit: 13/day, when-store-fails: deny}
        - {name: dark, match: {path: /dark}, limit: 1/day, shadow: true}
      """;

  @TempDir Path folder = Path.of("");

  Path access() {
    return folder.resolve("access.log");
  }

  Path denials() {
    return folder.resolve("denials.log");
  }

  ServerSettings settings(LogFormat format, boolean queries, int denialsPerSecond) {
    return ServerSettings.DEFAULT.withTelemetry(
        new TelemetrySettings(
            Optional.of(access().toString()),
            queries,
            Optional.of(denials().toString()),
            denialsPerSecond,
            format,
            Optional.empty()));
  }

  TestServer start(Store store) {
    return TestServer.with(RULES, settings(LogFormat.JSON, false, 1_000), store);
  }

  TestServer start() {
    return start(new MemoryStore());
  }

  static List<JsonObject> lines(Path file) {
    try {
      return Files.readAllLines(file).stream().map(JsonObject::new).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A line without what differs from run to run. */
  static String stable(JsonObject line) {
    JsonObject copy = line.copy();
    assertThat(String.valueOf(copy.remove("time")))
        .matches("20\\d\\d-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z");
    Object micros = copy.remove("micros");
    assertThat(micros == null || ((Number) micros).longValue() >= 0).isTrue();
    return copy.encode();
  }

  static List<String> stable(Path file) {
    return lines(file).stream().map(RequestLogsTest::stable).toList();
  }
}
