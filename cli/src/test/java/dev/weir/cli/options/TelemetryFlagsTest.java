package dev.weir.cli.options;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cli.CommandRun;
import dev.weir.cli.ServerProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The flags of logs of requests and of the export, on the command line. */
class TelemetryFlagsTest {

  @TempDir private Path folder = Path.of("");

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--otlp-endpoint|collector|a URL such as http://127.0.0.1:4318, without a user",
        "--otlp-interval|1s|--otlp-endpoint beside it",
        "--trace-sample|0.1|--otlp-endpoint beside it",
        "--trace-sample|2|a number between 0 and 1, such as 0.01",
        "--otlp-interval|1|a time such as 500ms or 30s, between 100ms and 3600s",
        "--otlp-interval|99ms|a time such as 500ms or 30s, between 100ms and 3600s",
        "--denial-sample|0|a whole number between 1 and 1000000",
        "--denial-log|''|a file, or - for standard output",
        "--access-log|''|a file, or - for standard output"
      })
  void invalidValueIsRefused(String flag, String value, String expected) {
    CommandRun run = CommandRun.weir("serve", "--port", "0", flag, value).assertHarmless();
    assertThat(run.exit()).isEqualTo(2);
    String shown = value.isEmpty() ? "nothing" : value;
    assertThat(run.err())
        .isEqualTo("weir: " + flag + ": " + shown + " (expected: " + expected + ")\n");
  }

  @ParameterizedTest
  @CsvSource({"--access-log", "--denial-log"})
  void fileThatCannotBeWrittenIsRefused(String flag) {
    Path missing = folder.resolve("none/a.log");
    CommandRun run = CommandRun.weir("serve", "--port", "0", flag, missing).assertHarmless();
    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.err())
        .isEqualTo("weir: " + flag + ": " + missing + ": cannot be written: no such directory\n");
  }

  @Test
  void logsAreWrittenInTheFormatOfTheLog() throws Exception {
    Path denials = folder.resolve("denials.log");
    Path rules =
        Files.writeString(
            folder.resolve("rules.yaml"),
            "rules: [{name: bad, match: {path: /b}, limit: blocked}]");
    try (ServerProcess server =
        ServerProcess.start(
                Map.of(),
                "--rules",
                rules,
                "--access-log",
                "-",
                "--denial-log",
                denials,
                "--log-format",
                "json")
            .awaitReady()) {
      assertThat(server.check("/b")).isEqualTo(429);
      assertThat(server.check("/free?secret")).isEqualTo(200);
      server.awaitOutput("\"path\":\"/free\"");
      assertThat(server.output())
          .contains("\"path\":\"/b\",\"status\":429,\"outcome\":\"blocked\",\"rule\":\"bad\"")
          .doesNotContain("secret");
      assertThat(server.stopAndAwaitExit().exit()).isZero();
    }
    assertThat(Files.readAllLines(denials))
        .singleElement()
        .asString()
        .startsWith("{\"time\":\"20")
        .endsWith("\"path\":\"/b\",\"outcome\":\"blocked\",\"rule\":\"bad\"}");
  }

  @Test
  void protocolThatIsNotSpokenIsAWarning() throws Exception {
    Map<String, String> environment =
        Map.of(
            "OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:4317",
            "OTEL_EXPORTER_OTLP_PROTOCOL", "grpc");
    try (ServerProcess server = ServerProcess.start(environment).awaitReady()) {
      assertThat(server.output())
          .contains("weir: OTEL_EXPORTER_OTLP_PROTOCOL: grpc: no traces are sent");
    }
  }

  private List<String> loadedClasses(Object... flags) throws Exception {
    Path classes = folder.resolve("classes.txt");
    List<String> options =
        List.of("-XX:TieredStopAtLevel=1", "-Xlog:class+load=info:file=" + classes);
    try (ServerProcess server = ServerProcess.confined(1_024, options, flags).awaitReady()) {
      assertThat(server.check("/hello")).isEqualTo(200);
      assertThat(server.admin("/metrics").statusCode()).isEqualTo(200);
      assertThat(server.stopAndAwaitExit().exit()).isZero();
    }
    return Files.readAllLines(classes);
  }

  /** A server that nobody observes is as small, and starts as fast, as without all this. */
  @Test
  void nothingIsLoadedThatIsNotUsed() throws Exception {
    List<String> unused =
        List.of(
            "dev.weir.server.otlp.",
            "io.opentelemetry.",
            "jdk.internal.net.http.",
            "dev.weir.server.telemetry.DenialLog",
            "dev.weir.server.log.LineWriter");
    List<String> loaded = new ArrayList<>(loadedClasses());
    assertThat(loaded).hasSizeGreaterThan(1_000);
    loaded.removeIf(line -> unused.stream().noneMatch(line::contains));
    assertThat(loaded).isEmpty();
  }
}
