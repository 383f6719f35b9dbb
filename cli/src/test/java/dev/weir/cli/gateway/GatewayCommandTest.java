package dev.weir.cli.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cli.CommandRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What {@code weir gateway} refuses. */
class GatewayCommandTest {
  @TempDir private Path directory = Path.of("");

  private static CommandRun gateway(Object... flags) {
    Object[] words = new Object[flags.length + 5];
    Object[] ports = {"gateway", "--port", "0", "--admin-port", "0"};
    System.arraycopy(ports, 0, words, 0, ports.length);
    System.arraycopy(flags, 0, words, ports.length, flags.length);
    return CommandRun.weir(words);
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
        "http://a:99999|a port between 1 and 65535"
      })
  void urlThatIsNoServer(String url, String expected) {
    CommandRun run = gateway("--upstream", url);
    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.err())
        .startsWith("weir: --upstream: " + url + " (expected: ")
        .contains(expected);
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
