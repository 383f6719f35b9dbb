package dev.weir.cli.top;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cli.ServerProcess;
import dev.weir.cli.TerminalProcess;
import dev.weir.testkit.Ports;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code weir top} on a terminal, with a person who watches a real server. */
@Timeout(300)
class TopTerminalTest {
  private static final String OPEN = "\u001b[?1049h";
  private static final String CLOSE = "\u001b[?7h\u001b[?25h\u001b[?1049l";
  private static final String RED = "\u001b[31m";

  @TempDir private Path directory = Path.of("");

  private ServerProcess start(int port) throws Exception {
    String rules = "rules: [{name: all, limit: 2/day, algorithm: fixed-window}]";
    Path file = Files.writeString(directory.resolve("rules.yaml"), rules);
    Object[] flags = {
      "--rules", file, "--host", "127.0.0.1", "--port", 0, "--grpc-port", 0, "--admin-port", port
    };
    return ServerProcess.startWithFlags(Map.of(), flags).awaitReady();
  }

  @Test
  void pageFollowsTheServerAndSaysWhenItDoesNot() throws Exception {
    int port = Ports.free();
    ServerProcess server = start(port);
    try (TerminalProcess top =
        TerminalProcess.start(24, 80, Map.of(), "top", "--server", "127.0.0.1:" + port)) {
      top.await(screen -> screen.contains("✓ Weir decides every request."));
      for (int i = 0; i < 5; i++) {
        server.check("/");
      }
      String denied = top.await(screen -> screen.contains("\n  all "));
      assertThat(denied.lines()).hasSizeLessThanOrEqualTo(24);
      assertThat(denied).contains("\nq quit   k callers: denied   w window: minute");
      top.type("k");
      top.await(screen -> screen.contains("Top shadow-denied callers"));
      top.type("w");
      top.await(screen -> screen.contains("in the last hour"));

      server.kill();
      String stale =
          top.await(screen -> screen.contains("? Unknown whether Weir decides: no data since "));
      assertThat(stale.replaceAll("\\s+", " "))
          .contains(" Everything below is from then. Connecting again. - http://127.0.0.1:" + port)
          .contains(": cannot connect (is a server running there?)");
      assertThat(top.output().substring(top.output().lastIndexOf(OPEN))).contains(RED);
      String lastPage = top.output().substring(top.output().lastIndexOf("\u001b[H"));
      assertThat(lastPage).as("nothing that is stale has the colours of now").doesNotContain(RED);
      server = start(port);
      top.await(screen -> screen.contains("✓ Weir decides every request."));

      top.type("q");
      String end = top.awaitEnd();
      assertThat(end).contains(CLOSE + "restored\r\nexit 0.");
      assertThat(top.output()).containsOnlyOnce(OPEN).containsOnlyOnce(CLOSE);
    } finally {
      server.close();
    }
  }

  @Test
  void connectionOnWhichNothingComesIsGivenUp() throws Exception {
    int port = Ports.free();
    try (ServerProcess server = start(port);
        TerminalProcess top =
            TerminalProcess.start(24, 80, Map.of(), "top", "--server", "127.0.0.1:" + port)) {
      top.await(screen -> screen.contains("✓ Weir decides every request."));
      signal("STOP", server);
      try {
        top.await(screen -> screen.contains("? Unknown whether Weir decides"));
        top.await(screen -> screen.contains(port + ": no event for 9 s"));
        top.await(screen -> screen.contains(port + ": no answer within 5 s"));
      } finally {
        signal("CONT", server);
      }
      top.await(screen -> screen.contains("✓ Weir decides every request."));
      top.type("q");
      assertThat(top.awaitEnd()).contains("restored\r\nexit 0.");
    }
  }

  private static void signal(String name, ServerProcess server) throws Exception {
    String kill = "kill -" + name + " " + server.pid();
    assertThat(new ProcessBuilder("sh", "-c", kill).start().waitFor()).isZero();
  }

  @Test
  void pageFitsAnyTerminalAndControlCRestoresIt() throws Exception {
    int port = Ports.free();
    try (ServerProcess server = start(port);
        TerminalProcess top =
            TerminalProcess.start(
                12, 40, Map.of("NO_COLOR", "1"), "top", "--server", "127.0.0.1:" + port)) {
      String small = top.await(screen -> screen.contains("✓ Weir decides every request."));
      assertThat(small.lines()).hasSizeLessThanOrEqualTo(12);
      assertThat(small.lines()).allMatch(line -> line.length() <= 40);
      assertThat(server.isAlive()).isTrue();
      top.resize(40, 120);
      String large = top.await(screen -> screen.contains("Actions in force  none"));
      assertThat(large.lines()).hasSize(40);
      assertThat(top.output()).as("without colour").doesNotContain(RED, "\u001b[2m", "\u001b[1m");
      top.resize(3, 10);
      top.await(screen -> screen.lines().count() <= 3 && screen.startsWith("weir top"));
      top.type("\u0003");
      assertThat(top.awaitEnd()).contains(CLOSE, "restored\r\nexit 130.");
    }
  }

  @Test
  void screenIsNotTakenIfThereIsNoServer() throws Exception {
    int port = Ports.free();
    try (TerminalProcess top =
        TerminalProcess.start(24, 80, Map.of(), "top", "--server", "127.0.0.1:" + port)) {
      assertThat(top.awaitEnd())
          .contains("cannot connect (is a server running there?)", "restored\r\nexit 2.")
          .doesNotContain(OPEN);
    }
  }
}
