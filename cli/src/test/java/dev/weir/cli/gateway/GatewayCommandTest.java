package dev.weir.cli.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cli.CommandRun;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What {@code weir gateway} refuses. */
class GatewayCommandTest {
  @TempDir private Path directory = Path.of("");

  private static CommandRun gateway(Object... flags) {
    List<Object> words = new ArrayList<>(List.of("gateway", "--admin-port", "0"));
    words.addAll(List.of(flags).contains("--port") ? List.of() : List.of("--port", "0"));
    words.addAll(List.of(flags));
    return CommandRun.weir(words.toArray()).assertHarmless();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "127.0.0.1:9000|http:// or https://",
        "ftp://a|http:// or https://",
        "http://a/path|without a path",
        "http://a?x|without a query",
        "http://u@a|without a user",
        "http://a:0|a port between 1 and 65535",
        "http://a:99999|a port between 1 and 65535",
        "https://|a host",
        "https://:443|a host"
      })
  void urlThatIsNoServer(String url, String expected) {
    CommandRun run = gateway("--upstream", url);
    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.err())
        .startsWith("weir: --upstream: " + url + " (expected: ")
        .contains(expected);
  }

  @Test
  void fileThatDoesNotExist() {
    Path missing = directory.resolve("missing.yaml");
    CommandRun run = gateway("--upstream", "http://127.0.0.1:9", "--rules", missing);
    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.err()).isEqualTo("weir: --rules: " + missing + ": no such file or directory\n");
  }

  @Test
  void auditLogThatCannotBeWritten() {
    Path missing = directory.resolve("missing").resolve("audit.log");
    CommandRun run = gateway("--upstream", "http://127.0.0.1:9", "--audit-log", missing);
    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.err())
        .isEqualTo(
            "weir: --audit-log: "
                + missing
                + ", no such directory (expected: a file that can be written)\n");
  }

  @Test
  void portThatIsTaken() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      int port = taken.getLocalPort();
      CommandRun run = gateway("--upstream", "http://127.0.0.1:9", "--port", port);
      assertThat(run.exit()).isEqualTo(2);
      assertThat(run.err().lines())
          .singleElement()
          .asString()
          .startsWith(
              "weir: --port: " + port + ", address already in use on 127.0.0.1 (expected: ");
    }
  }

  @Test
  void serversOfTwoKinds() {
    CommandRun run = gateway("--upstream", "http://a", "--upstream", "https://b");
    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.err()).contains("--upstream: ").contains("all with http, or all with https");
  }

  @Test
  void noUpstreamAtAll() throws IOException {
    Path rules = directory.resolve("rules.yaml");
    Files.writeString(rules, "rules: [{name: all, limit: 1/second}]\n");
    CommandRun run = gateway("--rules", rules);
    assertThat(run.exit()).isEqualTo(1);
    assertThat(run.err())
        .isEqualTo(rules + ":1:1: upstreams: nothing (expected: upstreams, or --upstream URL)\n");
  }

  @Test
  void accessLogThatCannotBeWritten() {
    Path missing = directory.resolve("none/access.log");
    CommandRun run = gateway("--upstream", "http://127.0.0.1:9", "--access-log", missing);
    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.err()).startsWith("weir: --access-log: " + missing + ": cannot be written");
    CommandRun format = gateway("--upstream", "http://127.0.0.1:9", "--access-log-format", "xml");
    assertThat(format.exit()).isEqualTo(2);
    assertThat(format.err())
        .isEqualTo("weir: --access-log-format: xml (expected: json or common)\n");
  }
}
