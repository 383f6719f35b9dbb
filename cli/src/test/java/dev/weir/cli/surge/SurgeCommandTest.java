package dev.weir.cli.surge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cli.CommandRun;
import dev.weir.load.service.Capacity;
import dev.weir.testkit.Repository;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class SurgeCommandTest {
  @Test
  void errorsNameTheFlag() {
    assertThat(error("--capacity", 99))
        .startsWith("weir surge: --capacity: 99 (expected: a whole number between 100 and 100000)");
    assertThat(error("--seconds", 1)).startsWith("weir surge: --seconds: 1 (expected: ");
    assertThat(error("--service-port", -1)).startsWith("weir surge: --service-port: -1 (expected:");
    assertThat(error("--gateway", "localhost"))
        .startsWith("weir surge: --gateway: localhost (expected: a URL such as ");
    assertThat(error("--gateway", "http://203.0.113.7"))
        .startsWith("weir surge: --gateway: http://203.0.113.7 (expected: an address of this mach");
    assertThat(error("--report", "/no/such/directory/r.html"))
        .isEqualTo("weir: --report: /no/such/directory/r.html: cannot be written\n");
  }

  private static String error(Object flag, Object value) {
    CommandRun run = CommandRun.weir("surge", flag, value).assertHarmless();
    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    return run.err();
  }

  @Test
  void usedPortIsReported() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      int port = taken.getLocalPort();
      CommandRun run = CommandRun.weir("surge", "--service-only", "--service-port", port);
      assertThat(run.exit()).isEqualTo(2);
      assertThat(run.err())
          .isEqualTo("weir: --service-port: 127.0.0.1:" + port + ": cannot listen\n");
    }
  }

  @Test
  void capacityFitsTheMachine() {
    assertThat(SurgeClients.capacityFor(100_000)).isEqualTo(800);
    assertThat(SurgeClients.capacityFor(30_000)).isEqualTo(800);
    assertThat(SurgeClients.capacityFor(10_000)).as("a multiple of 50").isEqualTo(250);
    assertThat(SurgeClients.capacityFor(0)).isEqualTo(100);
  }

  @Test
  void fewerFileDescriptorsMeanFewerClients() {
    Capacity capacity = Capacity.of(800);
    Duration surge = Duration.ofSeconds(20);
    assertThat(SurgeSettings.of(capacity, surge, 1_000_000).maxConnections()).isEqualTo(6_000);
    assertThat(SurgeSettings.of(capacity, surge, 4_096).maxConnections()).isEqualTo(3_276);
    assertThat(SurgeSettings.of(capacity, surge, 4_096).offeredPerSecond()).isEqualTo(12_000);
  }

  @Test
  void exampleHasTheRulesOfTheRun() throws IOException {
    String example = Files.readString(Repository.path("examples/surge/limits.yaml"));
    assertThat(SurgeRules.text(Capacity.of(200))).isEqualTo(example);
    assertThat(SurgeRules.text(Capacity.of(800)))
        .contains("limit: 760/second\n", "burst: 24\n", "capacity: 96\n");
  }
}
