package dev.weir.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cli.ServerProcess;
import dev.weir.testkit.redis.RedisServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The log of a server reaches its readers after SIGTERM, until the process exits. */
class LogAtShutdownTest {
  private static final String OUTAGE = " has not answered since ";
  private static final String PENDING_CHARGES =
      "WARN  Stopped with pending charges to the store; callers never charged: 1, ";

  private final RedisServer redis = RedisServer.start();

  @TempDir private Path directory = Path.of("");

  private Path rules = Path.of("");

  @BeforeEach
  void writeRules() throws Exception {
    String local = "rules: [{name: here, limit: 900/day, when-store-fails: local}]";
    rules = Files.writeString(directory.resolve("rules.yaml"), local);
  }

  @AfterEach
  void stop() {
    redis.close();
  }

  /** The URL with a deadline that a busy machine meets. */
  private String url() {
    return redis.url() + "?deadline=2s";
  }

  private static void sendRequests(ServerProcess server) throws Exception {
    for (int i = 0; i < 20; i++) {
      assertThat(server.check("/")).isEqualTo(200);
    }
  }

  @Test
  void stopDuringAnOutageReportsPendingCharges() throws Exception {
    try (ServerProcess server =
        ServerProcess.start(Map.of(), "--rules", rules, "--store", url()).awaitReady()) {
      redis.kill();
      sendRequests(server);
      server.awaitOutput(OUTAGE);
      assertThat(server.stopAndAwaitExit().err()).contains(PENDING_CHARGES);
    }
  }

  @Test
  void outageDuringTheDrainIsReported() throws Exception {
    try (ServerProcess server =
        ServerProcess.drainingUntilInputEnds("--rules", rules, "--store", url()).awaitReady()) {
      sendRequests(server);
      assertThat(server.output()).doesNotContain(OUTAGE, PENDING_CHARGES);
      server.stop();
      server.awaitOutput("Draining for 3600 s");
      redis.kill();
      sendRequests(server);
      server.awaitOutput(OUTAGE);
      server.endDrain();
      assertThat(server.awaitExit().err()).contains(OUTAGE, PENDING_CHARGES);
    }
  }
}
