package dev.weir.server.xds;

import static dev.weir.server.xds.TestConfigs.daily;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.weir.testkit.Ports;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryRequest;
import io.grpc.Status;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The source reconnects to management servers that are late, slow, gone or invalid. */
@Timeout(300)
class XdsReconnectTest {

  private static void give(ManagementServer.Stream stream, String version, int requests) {
    stream.send(version, "n-" + version, daily("shop", requests));
    DiscoveryRequest answer = stream.next();
    assertThat(answer.getVersionInfo()).isEqualTo(version);
    assertThat(answer.getResponseNonce()).isEqualTo("n-" + version);
  }

  private static void assertLostOnce(LoadedRules taken, String reason) {
    assertThat(taken.warnings).hasSize(1);
    assertThat(taken.warnings.get(0)).contains(" is lost: ").contains(reason);
  }

  @Test
  void connectsToServerThatStartsLater() throws Exception {
    int port = Ports.free();
    try (LoadedRules taken =
        new LoadedRules(
            XdsSettings.at("127.0.0.1:" + port).withRetries(LoadedRules.QUICK_RETRIES))) {
      LoadedRules.await(() -> !taken.warnings.isEmpty());
      Thread.sleep(300); // a few attempts
      try (ManagementServer server = ManagementServer.on(port)) {
        ManagementServer.Stream stream = server.stream();
        assertThat(stream.next().getVersionInfo()).isEmpty();
        give(stream, "v1", 1);
        assertThat(taken.limits()).containsExactly("shop.one 1 DAY");
      }
      assertThat(taken.warnings.get(0)).endsWith("; no configuration has arrived yet");
    }
  }

  @Test
  void waitsForSlowServer() throws Exception {
    try (ManagementServer server = ManagementServer.start();
        LoadedRules taken = LoadedRules.from(server)) {
      ManagementServer.Stream stream = server.subscribed();
      Thread.sleep(1_000);
      assertThat(taken.board.isLoaded()).isFalse();
      give(stream, "v1", 1);
      assertThat(taken.board.isLoaded()).isTrue();
      assertThat(taken.warnings).isEmpty();
      assertThat(server.isAlone()).isTrue();
    }
  }

  @Test
  void lastConfigurationStaysWhileServerIsGoneAndLossIsLoggedOnce() throws Exception {
    ManagementServer server = ManagementServer.start();
    int port = server.port();
    try (LoadedRules taken = LoadedRules.from(server)) {
      ManagementServer.Stream stream = server.subscribed();
      give(stream, "v1", 1);
      server.close();
      LoadedRules.await(() -> !taken.warnings.isEmpty());
      Thread.sleep(700); // a few attempts
      assertLostOnce(taken, "127.0.0.1:" + port);
      assertThat(taken.warnings.get(0)).endsWith("; its last configuration stays active");
      assertThat(taken.limits()).containsExactly("shop.one 1 DAY");
      assertThat(taken.board.isLoaded()).isTrue();
      assertThat(taken.board.status().problems()).isEmpty();
      try (ManagementServer again = ManagementServer.on(port)) {
        ManagementServer.Stream next = again.stream();
        DiscoveryRequest first = next.next();
        assertThat(first.getVersionInfo())
            .isEqualTo("v1"); // the server need not send that version again
        assertThat(first.getResponseNonce()).isEmpty();
        give(next, "v2", 2);
        assertThat(taken.limits()).containsExactly("shop.one 2 DAY");
        assertThat(taken.warnings).hasSize(1);
      }
    }
  }

  @Test
  void serverWithoutChangesCountsAsBackAndCanBeLostAgain() throws Exception {
    ManagementServer server = ManagementServer.start();
    int port = server.port();
    try (LoadedRules taken = LoadedRules.from(server)) {
      ManagementServer.Stream stream = server.subscribed();
      give(stream, "v1", 1);
      server.close();
      LoadedRules.await(() -> taken.warnings.size() == 1);
      try (ManagementServer again = ManagementServer.on(port)) {
        assertThat(again.stream().next().getVersionInfo()).isEqualTo("v1");
        Thread.sleep(500);
        assertThat(taken.warnings).hasSize(1);
      }
      LoadedRules.await(() -> taken.warnings.size() == 2);
    }
  }

  @Test
  void brokenStreamIsReopened() throws Exception {
    try (ManagementServer server = ManagementServer.start();
        LoadedRules taken = LoadedRules.from(server)) {
      ManagementServer.Stream first = server.subscribed();
      first.fail(Status.PERMISSION_DENIED.withDescription("not you"));
      ManagementServer.Stream second = server.stream();
      assertThat(second.next().getVersionInfo()).isEmpty();
      assertLostOnce(taken, "ended with status 7: not you");
      give(second, "v1", 1);
      second.fail(Status.UNAVAILABLE);
      ManagementServer.Stream third = server.stream();
      assertThat(third.next().getVersionInfo()).isEqualTo("v1");
      give(third, "v2", 2);
      assertThat(taken.warnings).hasSize(2);
      assertThat(taken.limits()).containsExactly("shop.one 2 DAY");
    }
  }

  @Test
  void silentConnectionLossIsDetected() throws Exception {
    try (ManagementServer server = ManagementServer.start();
        StallingProxy relay = StallingProxy.to(server.port());
        LoadedRules taken =
            new LoadedRules(
                XdsSettings.at("127.0.0.1:" + relay.port())
                    .withRetries(LoadedRules.SHORT_KEEPALIVE))) {
      ManagementServer.Stream stream = server.subscribed();
      give(stream, "v1", 1);
      Thread.sleep(3_000); // the server answers pings
      assertThat(taken.warnings).isEmpty();
      relay.freeze();
      LoadedRules.await(() -> !taken.warnings.isEmpty());
      assertLostOnce(taken, "no response to PING for 1000 ms");
      assertThat(taken.limits()).containsExactly("shop.one 1 DAY");
    }
  }

  @Test
  void oversizedMessageBreaksOnlyTheStream() throws Exception {
    try (ManagementServer server = ManagementServer.start();
        LoadedRules taken =
            new LoadedRules(
                XdsSettings.at(server.address())
                    .withRetries(LoadedRules.QUICK_RETRIES)
                    .withMaxMessageBytes(2_000))) {
      ManagementServer.Stream first = server.subscribed();
      give(first, "v1", 1);
      first.send(large());
      ManagementServer.Stream second = server.subscribed();
      assertLostOnce(taken, "message: too large (expected: at most 2000 bytes)");
      second.compress();
      give(second, "v2", 2);
      second.send(large());
      ManagementServer.Stream third = server.stream();
      assertThat(third.next().getVersionInfo()).isEqualTo("v2");
      assertThat(taken.warnings.get(1)).contains("message: too large when decompressed");
      assertThat(taken.limits()).containsExactly("shop.one 2 DAY");
    }
  }

  private static io.envoyproxy.envoy.service.discovery.v3.DiscoveryResponse.Builder large() {
    ByteString zeros = ByteString.copyFrom(new byte[10_000]);
    return ManagementServer.response("large", "n")
        .addResources(ManagementServer.resource(ManagementServer.TYPE_URL, zeros));
  }

  @Test
  void retriesServerThatIsNoManagementServer() throws Exception {
    try (ServerSocket other = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        LoadedRules taken =
            new LoadedRules(
                XdsSettings.at("127.0.0.1:" + other.getLocalPort())
                    .withRetries(LoadedRules.QUICK_RETRIES))) {
      for (int i = 0; i < 3; i++) {
        try (Socket client = accept(other)) {
          client.getInputStream().readNBytes(24);
          client
              .getOutputStream()
              .write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        }
      }
      assertThat(taken.warnings).hasSize(1);
    }
  }

  private static Socket accept(ServerSocket server) throws IOException {
    server.setSoTimeout((int) Duration.ofSeconds(60).toMillis());
    return server.accept();
  }
}
