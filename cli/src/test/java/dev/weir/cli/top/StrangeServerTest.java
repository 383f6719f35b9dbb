package dev.weir.cli.top;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.util.JSONObjectUtils;
import dev.weir.cli.CommandRun;
import dev.weir.cli.terminal.Json;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code weir top} on what is no Weir server, or one that wants to harm it. */
class StrangeServerTest {
  private static final String EVIL = "\u001b[2J\u001b]0;owned?\u0007\r\nsecond line\u202e日本語\u009b";

  private static CommandRun top(String events, Object... more) throws Exception {
    try (StrangeServer server = StrangeServer.sending(events)) {
      Object[] words = new Object[more.length + 4];
      System.arraycopy(new Object[] {"top", "--once", "--server", server.url()}, 0, words, 0, 4);
      System.arraycopy(more, 0, words, 4, more.length);
      return CommandRun.weir(words).assertHarmless();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "\n\n\n",
        "event: snapshot\n\n",
        "event: snapshot\ndata: {\"half\": ",
        "<!doctype html><title>Hello</title>\n",
      })
  void streamThatEndsWithoutAnEventIsAFailure(String events) throws Exception {
    CommandRun run = top(events);
    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).matches("weir: 127.0.0.1:\\d+: the server ended the connection\n");
  }

  @Test
  void dataThatIsNoObjectIsAFailure() throws Exception {
    String deep = "data: {\"a\":" + "[".repeat(100_000) + "\n\n";
    for (String events :
        List.of("data: [1]\n\n", "data: nonsense\n\n", "data: {\"a\": 1e999}\n\n", deep)) {
      CommandRun run = top(events);
      assertThat(run.exit()).isEqualTo(2);
      assertThat(run.err()).endsWith(": sent an event that is no JSON object\n");
    }
  }

  @Test
  void refusalIsReportedInTheWordsOfTheServer() throws Exception {
    String detail = "{\"detail\": \"host: evil (expected: one of --admin-allowed-host)\\u001b\"}";
    String head = "HTTP/1.1 403 Forbidden\r\nContent-Length: " + detail.length() + "\r\n\r\n";
    try (StrangeServer server = StrangeServer.answering(head + detail)) {
      CommandRun run = CommandRun.weir("top", "--server", server.url()).assertHarmless();
      assertThat(run.exit()).isEqualTo(2);
      assertThat(run.err())
          .endsWith(": answered 403, host: evil (expected: one of --admin-allowed-host)\\u001b\n");
    }
    try (StrangeServer server = StrangeServer.answering("SSH-2.0-OpenSSH_9.6\r\n")) {
      CommandRun run = CommandRun.weir("top", "--server", server.url()).assertHarmless();
      assertThat(run.exit()).isEqualTo(2);
      assertThat(run.err()).contains(": no usable answer: ");
    }
  }

  @Test
  void lineWithoutEndIsNotKept() throws Exception {
    CommandRun run = top("data: {\"a\": \"" + "x".repeat(EventReader.MAX_LINE_BYTES));
    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.err()).endsWith(": sent a line of more than 4194304 bytes\n");
  }

  @Test
  void objectOfAnotherShapeIsAPageWithoutNumbers() throws Exception {
    for (String data :
        List.of(
            "{}",
            "{\"status\": 1, \"callers\": {}, \"denials\": [1, null, \"x\"], \"time\": \"noon\"}",
            "{\"time\": 9e99, \"second\": -9e18, \"events\": [{\"time\": 1e300, \"kind\": 1}]}",
            "{\"second\": 9223372036854775807, \"recent\": {\"allowed\": [null, 1e300, -1]}}")) {
      CommandRun run = top("data: " + data + "\n\n");
      assertThat(run.err()).isEmpty();
      assertThat(run.exit()).as("a server that does not say that it is ready").isEqualTo(1);
      assertThat(run.out())
          .startsWith("weir top  127.0.0.1:")
          .contains("✗ This server takes no traffic. It is not ready.\n", "\nDecisions/s ");
    }
  }

  @Test
  void hostileTextIsShownAndActsOnNothing() throws Exception {
    Map<String, ?> row =
        Map.of("rule", EVIL, "caller", EVIL, "count", 3, "percent", 1_000_000, "kind", EVIL);
    Map<String, ?> document =
        Json.object(
            "status",
            Map.of("ready", true, "rules", EVIL, "problems", List.of(EVIL, "x".repeat(100_000))),
            "callers",
            List.of(row),
            "denials",
            List.of(row),
            "utilisation",
            List.of(row),
            "events",
            List.of(Map.of("kind", EVIL, "text", EVIL, "level", EVIL)),
            "recent",
            Map.of(EVIL, List.of(5)),
            "second",
            20);
    String data = Json.of(document).replace("\n", " ");
    assertThat(JSONObjectUtils.parse(data)).containsKey("status");
    CommandRun run = top("event: snapshot\ndata: " + data + "\n\n");
    assertThat(run.out()).contains("\\u001b[2J", "\\u000d\\u000asecond line\\u202e日本語\\u009b");
    assertThat(run.out().lines().filter(line -> line.startsWith("second line"))).isEmpty();
    assertThat(run.out().length()).isLessThan(10_000);
  }

  @Test
  void manyRowsAreBounded() throws Exception {
    String row = "{\"rule\": \"r\", \"caller\": \"c\", \"count\": 1}, ";
    String data = "data: {\"callers\": [" + row.repeat(50_000) + "{}]}\n\n";
    assertThat(top(data).out().lines().count()).isBetween(1_000L, 1_100L);
  }
}
