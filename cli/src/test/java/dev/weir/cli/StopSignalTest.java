package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.Ports;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What becomes of the process that a server runs in when it is told to stop. */
class StopSignalTest {
  @Test
  void whoDrainsInGoodOrderExitsWithZero() throws Exception {
    try (Serving server = Serving.start(Map.of(), "--drain-seconds", 1).ready()) {
      assertThat(server.check("/hello")).isEqualTo(200);
      Ran ran = server.stopped();
      assertThat(ran.exit()).as(ran.err()).isZero();
      assertThat(ran.err())
          .containsSubsequence("INFO  Draining for 1 s: ", "INFO  Stopped ", " ms after");
    }
  }

  @Test
  void anInterruptIsTheSame() throws Exception {
    try (Serving server = Serving.interruptible().ready()) {
      // The shell's own kill is there even where the program is not.
      new ProcessBuilder("sh", "-c", "kill -INT " + server.pid()).start().waitFor();
      assertThat(server.ran().exit()).isZero();
    }
  }

  /** Readiness is told over the network, and not by what it prints a moment later. */
  @Test
  void whoIsStoppedTheMomentItIsReadyDrains() throws Exception {
    int port = Ports.free();
    try (Serving server = Serving.at(port, "--drain-seconds", 1)) {
      Readiness.await(port);
      Ran ran = server.stopped();
      assertThat(ran.exit()).as(ran.err()).isZero();
      assertThat(ran.err()).containsSubsequence("INFO  Draining for 1 s: ", "INFO  Stopped ");
    }
  }

  /** Perhaps it was ready by then, and drains, for which it has no time. */
  @Test
  void whoIsStoppedWhileItWarmsUpStopsInGoodOrder() throws Exception {
    int port = Ports.free();
    try (Serving server = Serving.at(port, "--drain-seconds", 0, "--warm-up-seconds", 3600)) {
      server.awaitListening(port);
      Ran ran = server.stopped();
      assertThat(ran.exit()).as(ran.err()).isZero();
      assertThat(ran.err()).containsAnyOf("Told to stop before it was ready", "Draining for 0 s");
    }
  }

  @Test
  void oneMoreSignalEndsItAtOnce() throws Exception {
    try (Serving server = Serving.start(Map.of(), "--drain-seconds", 3600).ready()) {
      server.stop();
      server.awaitSaid("Draining for 3600 s");
      assertThat(server.get("/readyz").statusCode()).isEqualTo(503);
      while (server.isAlive()) {
        server.stop();
        Thread.sleep(50);
      }
      Ran ran = server.ran();
      assertThat(ran.exit()).isEqualTo(143);
      assertThat(ran.err()).contains("WARN  Stopping at once: one more SIGTERM");
    }
  }

  @Test
  void aSignalThatIsPassedOnTwiceCountsOnce() throws Exception {
    try (Serving server = Serving.start(Map.of(), "--drain-seconds", 1).ready()) {
      server.stop();
      server.stop();
      assertThat(server.ran().exit()).isZero();
    }
  }

  @Test
  void theSampleRulesAreNotLeftBehind() throws Exception {
    Path before = Files.createTempDirectory("weir-tmp");
    try (Serving server =
        Serving.bare(
                Map.of("JDK_JAVA_OPTIONS", "-Djava.io.tmpdir=" + before),
                "--host",
                "127.0.0.1",
                "--port",
                0,
                "--grpc-port",
                -1,
                "--admin-port",
                0)
            .ready()) {
      assertThat(before).isNotEmptyDirectory();
      assertThat(server.stopped().exit()).isZero();
    }
    assertThat(before).isEmptyDirectory();
    Files.delete(before);
  }

  @Test
  void whereJavaLeavesSignalsAloneItIsEndedByThem() throws Exception {
    try (Serving server =
        Serving.start(Map.of("JDK_JAVA_OPTIONS", "-Xrs"), "--log-level", "debug").ready()) {
      assertThat(server.said()).contains("SIGTERM ends the process with 143");
      server.stop();
      assertThat(server.ran().exit()).isEqualTo(143);
    }
  }
}
