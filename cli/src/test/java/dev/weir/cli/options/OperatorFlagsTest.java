package dev.weir.cli.options;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cli.CommandRun;
import dev.weir.cli.ServerProcess;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Flags that decide who may do what on the administration port, and where it is recorded. */
@Timeout(300)
class OperatorFlagsTest {
  private static final String OPERATOR = "the-token-of-operators";
  private static final String VIEWER = "the-token-of-viewers";
  private static final Map<String, String> TOKENS = Map.of("OPERATOR", OPERATOR, "VIEWER", VIEWER);
  private static final String QUESTION = "{\"values\": {\"path\": \"/hello\"}}";

  @TempDir private Path directory = Path.of("");

  private static int send(ServerProcess server, String method, String path, String token)
      throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(server.adminUrl() + path))
            .header("Content-Type", "application/json")
            .header("Weir-Operator", "ann")
            .method(method, BodyPublishers.ofString(QUESTION));
    if (!token.isEmpty()) {
      request.header("Authorization", "Bearer " + token);
    }
    return HttpClient.newHttpClient().send(request.build(), BodyHandlers.ofString()).statusCode();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--viewer-token-env VIEWER | VIEWER: alone (expected: a token for administrators too)",
        "--admin-token-env OPERATOR --viewer-token-env OPERATOR | OPERATOR: that of administrators"
            + " (expected: another one)",
        "--admin-token-env OPERATOR --viewer-token-env SHORT | SHORT: too short (expected: 16 to"
            + " 1024 letters, digits or signs, without spaces)",
      })
  void uselessTokenOfViewersIsRefusedAtTheStart(String flags, String message) {
    Map<String, String> environment =
        Map.of("OPERATOR", OPERATOR, "VIEWER", VIEWER, "SHORT", "s3cret");
    for (String command : List.of("serve", "gateway --upstream http://127.0.0.1:9")) {
      Object[] words = (command + " " + flags).split(" ");
      CommandRun run = CommandRun.in(environment, false, words).assertHarmless();
      assertThat(run.exit()).isEqualTo(2);
      assertThat(run.err()).isEqualTo("weir: --viewer-token-env: " + message + "\n");
    }
  }

  @Test
  void viewerReadsAndOperatorActsAndTheFileSaysSo() throws Exception {
    Path file = directory.resolve("audit.log");
    try (ServerProcess server =
        ServerProcess.start(
                TOKENS,
                "--admin-token-env",
                "OPERATOR",
                "--viewer-token-env",
                "VIEWER",
                "--audit-log",
                file)
            .awaitReady()) {
      assertThat(send(server, "GET", "/metrics", "")).isEqualTo(401);
      assertThat(send(server, "GET", "/metrics", VIEWER)).isEqualTo(200);
      assertThat(send(server, "POST", "/reset", VIEWER)).isEqualTo(403);
      assertThat(Files.readString(file)).isEmpty();
      assertThat(send(server, "POST", "/reset", OPERATOR)).isEqualTo(200);
    }
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    assertThat(Files.readAllLines(file)).hasSize(1);
    assertThat(Files.readString(file))
        .contains("\"who\":\"ann\",\"role\":\"operator\",", "\"event\":\"reset\"");
  }

  @Test
  void gatewayRecordsToo() throws Exception {
    Path file = directory.resolve("audit.log");
    try (ServerProcess gateway =
        ServerProcess.gateway("--upstream", "http://127.0.0.1:9", "--audit-log", file)
            .awaitReady()) {
      assertThat(send(gateway, "POST", "/reset", "")).isEqualTo(200);
      assertThat(Files.readString(file)).contains("\"who\":\"ann\"", "\"event\":\"reset\"");
    }
  }

  @Test
  void serviceLogHasTheRecordsAtEveryLevel() throws Exception {
    try (ServerProcess server =
        ServerProcess.start(Map.of(), "--log-level", "error").awaitReady()) {
      assertThat(send(server, "POST", "/reset", "")).isEqualTo(200);
      CommandRun run = server.stopAndAwaitExit();
      assertThat(run.err().lines())
          .singleElement()
          .asString()
          .contains(" INFO  {\"time\":\"", "\"who\":\"ann\"", "\"event\":\"reset\"");
    }
  }
}
