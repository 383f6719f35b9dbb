package dev.weir.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cli.CommandRun;
import dev.weir.cli.Readiness;
import dev.weir.cli.ServerProcess;
import dev.weir.testkit.Ports;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The process of a server when signals stop it. */
class StopSignalTest {
  @Test
  void gracefulDrainExitsWithZero() throws Exception {
    try (ServerProcess server = ServerProcess.start(Map.of(), "--drain-seconds", 1).awaitReady()) {
      assertThat(server.check("/hello")).isEqualTo(200);
      CommandRun run = server.stopAndAwaitExit();
      assertThat(run.exit()).as(run.err()).isZero();
      assertThat(run.err())
          .containsSubsequence("INFO  Draining for 1 s: ", "INFO  Stopped ", " ms after");
    }
  }

  @Test
  void interruptStopsGracefully() throws Exception {
    try (ServerProcess server = ServerProcess.interruptible().awaitReady()) {
      // Uses the shell's built-in kill, because the program may be missing.
      new ProcessBuilder("sh", "-c", "kill -INT " + server.pid()).start().waitFor();
      assertThat(server.awaitExit().exit()).isZero();
    }
  }

  /** Waits for readiness over the network, which comes before the printed lines. */
  @Test
  void serverStoppedAsSoonAsItIsReadyDrains() throws Exception {
    int port = Ports.free();
    try (ServerProcess server = ServerProcess.onPort(port, "--drain-seconds", 1)) {
      Readiness.await(port);
      CommandRun run = server.stopAndAwaitExit();
      assertThat(run.exit()).as(run.err()).isZero();
      assertThat(run.err()).containsSubsequence("INFO  Draining for 1 s: ", "INFO  Stopped ");
    }
  }

  /** The server may be ready by then; it drains for zero seconds in that case. */
  @Test
  void serverStoppedDuringWarmUpStopsGracefully() throws Exception {
    int port = Ports.free();
    try (ServerProcess server =
        ServerProcess.onPort(port, "--drain-seconds", 0, "--warm-up-seconds", 3600)) {
      server.awaitListening(port);
      CommandRun run = server.stopAndAwaitExit();
      assertThat(run.exit()).as(run.err()).isZero();
      assertThat(run.err())
          .containsAnyOf("Stop requested before the server was ready", "Draining for 0 s");
    }
  }

  @Test
  void anotherSignalEndsTheProcessImmediately() throws Exception {
    try (ServerProcess server =
        ServerProcess.start(Map.of(), "--drain-seconds", 3600).awaitReady()) {
      server.stop();
      server.awaitOutput("Draining for 3600 s");
      assertThat(server.get("/readyz").statusCode()).isEqualTo(503);
      while (server.isAlive()) {
        server.stop();
        Thread.sleep(50);
      }
      CommandRun run = server.awaitExit();
      assertThat(run.exit()).isEqualTo(143);
      assertThat(run.err()).contains("WARN  Exiting immediately after another SIGTERM");
    }
  }

  @Test
  void duplicateSignalCountsOnce() throws Exception {
    try (ServerProcess server = ServerProcess.start(Map.of(), "--drain-seconds", 1).awaitReady()) {
      server.stop();
      server.stop();
      assertThat(server.awaitExit().exit()).isZero();
    }
  }

  @Test
  void temporaryFileOfTheSampleRulesIsDeleted() throws Exception {
    Path temporary = Files.createTempDirectory("weir-tmp");
    try (ServerProcess server =
        ServerProcess.startWithFlags(
                Map.of("JDK_JAVA_OPTIONS", "-Djava.io.tmpdir=" + temporary),
                "--host",
                "127.0.0.1",
                "--port",
                0,
                "--grpc-port",
                -1,
                "--admin-port",
                0)
            .awaitReady()) {
      assertThat(temporary).isNotEmptyDirectory();
      assertThat(server.stopAndAwaitExit().exit()).isZero();
    }
    assertThat(temporary).isEmptyDirectory();
    Files.delete(temporary);
  }

  @Test
  void signalEndsTheProcessWhereJavaDoesNotHandleSignals() throws Exception {
    try (ServerProcess server =
        ServerProcess.start(Map.of("JDK_JAVA_OPTIONS", "-Xrs"), "--log-level", "debug")
            .awaitReady()) {
      assertThat(server.output()).contains("Cannot handle SIGTERM; it ends the process with 143");
      server.stop();
      assertThat(server.awaitExit().exit()).isEqualTo(143);
    }
  }
}
