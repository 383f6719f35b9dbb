package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.memory.MemoryStore;
import dev.weir.server.listen.CannotListen;
import dev.weir.server.settings.ServerSettings;
import dev.weir.server.settings.ServerSettings.Grpc;
import dev.weir.server.tls.Tls;
import dev.weir.testkit.Ports;
import dev.weir.testkit.TestCertificate;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server that fails to start stops at once and releases everything. */
@Timeout(300)
class FailedStartTest {
  private static final String RULES = "rules: [{name: all, limit: 9/day}]";

  /** Longer than any test may take. */
  private static final ServerSettings DRAINS_LONG =
      ServerSettings.DEFAULT.withDrain(Duration.ofHours(1));

  @TempDir private Path directory = Path.of("");

  @Test
  void serverThatNeverServedDoesNotDrain() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      ServerSettings settings =
          DRAINS_LONG.withPorts(0, 0, taken.getLocalPort()).withAdmin("127.0.0.1", null);
      assertThatThrownBy(() -> TestServer.onItsPorts(RULES, settings, new MemoryStore()))
          .isInstanceOf(CannotListen.class);
    }
  }

  @Test
  void failedStartReleasesAllPorts() throws Exception {
    TestCertificate made = TestCertificate.make(directory, "server", "EC");
    Path noCertificate = Files.writeString(directory.resolve("ca.pem"), "nothing");
    Tls tls = new Tls(made.certificate(), made.key(), new Tls.Clients(noCertificate, ""));
    int port = Ports.free();
    ServerSettings open = DRAINS_LONG.withPorts(port, 0, 0);
    // The gRPC port is opened after the traffic port.
    ServerSettings settings =
        new ServerSettings(
            open.traffic(),
            open.admin(),
            null,
            open.times(),
            new Grpc("127.0.0.1", 0, tls, open.grpc().rls()),
            open.metrics(),
            null,
            open.telemetry());
    assertThatThrownBy(() -> TestServer.onItsPorts(RULES, settings, new MemoryStore()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no certificate");
    try (ServerSocket again = new ServerSocket(port)) {
      assertThat(again.isBound()).isTrue();
    }
  }

  @Test
  void rulesMayUseTheNamesOfWarmUpRules() {
    String rules = "rules: [{name: weir-warm-up-one, limit: 1/day}, {name: other, limit: 9/day}]";
    ServerSettings warm = ServerSettings.DEFAULT.withWarmUp(Duration.ofMillis(1));
    try (TestServer served = TestServer.with(rules, warm)) {
      assertThat(served.check("/").statusCode()).isEqualTo(200);
      assertThat(served.check("/").statusCode()).isEqualTo(429);
    }
  }
}
