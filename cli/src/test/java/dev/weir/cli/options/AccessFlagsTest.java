package dev.weir.cli.options;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cli.CommandRun;
import dev.weir.cli.ServerProcess;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Flags that decide who can connect to a server, and who may change its counters. */
@Timeout(300)
class AccessFlagsTest {
  private static final String EXPECTED =
      " (expected: 16 to 1024 letters, digits or signs, without spaces)\n";
  private static final Object[] FREE_PORTS = {
    "--port", "0", "--grpc-port", "0", "--admin-port", "0"
  };

  @TempDir private Path directory = Path.of("");

  @Test
  void invalidTokenIsReportedByItsFileAndNeverShown() throws Exception {
    Map<String, String> contents =
        Map.of(
            "",
            "nothing",
            "\n \n",
            "nothing",
            "s3cret",
            "too short",
            "s3cret s3cret s3cret",
            "not one",
            "s3cret-s3cret-s3cret\ns3cret",
            "not one",
            "s3crét-s3crét-s3crét",
            "not one",
            "s3cret-s3cret-".repeat(100),
            "not one");
    for (Map.Entry<String, String> one : contents.entrySet()) {
      Path file = Files.writeString(directory.resolve("token"), one.getKey());
      CommandRun run = CommandRun.weir("serve", "--operations-token-file", file).assertHarmless();
      assertThat(run.exit()).isEqualTo(2);
      assertThat(run.err())
          .isEqualTo("weir: --operations-token-file: " + file + ": " + one.getValue() + EXPECTED);
    }
    assertThat(CommandRun.weir("serve", "--operations-token-file", directory).err())
        .startsWith("weir: --operations-token-file: " + directory + ": ");
    CommandRun tooShort =
        CommandRun.in(Map.of("WEIR_OPERATIONS_TOKEN", "s3cret"), false, "serve").assertHarmless();
    assertThat(tooShort.err()).isEqualTo("weir: WEIR_OPERATIONS_TOKEN: too short" + EXPECTED);
  }

  private static int refund(ServerProcess server, String token) throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(server.url() + "/v1/decide"))
            .header("Content-Type", "application/json")
            .POST(
                BodyPublishers.ofString(
                    "{\"operation\": \"refund\", \"values\": {\"path\": \"/hello\"}}"));
    if (!token.isEmpty()) {
      request.header("Authorization", "Bearer " + token);
    }
    return HttpClient.newHttpClient().send(request.build(), BodyHandlers.ofString()).statusCode();
  }

  @Test
  void tokenFileOverridesTheEnvironment() throws Exception {
    Path file = Files.writeString(directory.resolve("token"), "of-the-file-itself\n");
    Map<String, String> environment = Map.of("WEIR_OPERATIONS_TOKEN", "of-the-environment");
    try (ServerProcess server =
        ServerProcess.start(environment, "--operations-token-file", file).awaitReady()) {
      assertThat(refund(server, "of-the-file-itself")).isEqualTo(200);
      assertThat(refund(server, "of-the-environment")).isEqualTo(401);
      assertThat(refund(server, "")).isEqualTo(401);
    }
    try (ServerProcess server = ServerProcess.start(environment).awaitReady()) {
      assertThat(refund(server, "of-the-environment")).isEqualTo(200);
    }
  }

  /** Whether a port is open on 127.0.0.2, an address of this machine besides the default one. */
  private static boolean isOpen(int port) {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress("127.0.0.2", port), 10_000);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  @Test
  void onlyThisMachineCanConnectByDefault() throws Exception {
    try (ServerProcess server = ServerProcess.startWithFlags(Map.of(), FREE_PORTS).awaitReady()) {
      assertThat(server.output())
          .contains(" (only this machine can connect; --host 0.0.0.0 for others), counters in")
          .contains(" (only this machine can connect; --grpc-host 0.0.0.0 for others)\n");
      assertThat(isOpen(server.port())).isFalse();
      assertThat(isOpen(server.grpcPort())).isFalse();
      assertThat(refund(server, "")).isEqualTo(403);
    }
    Object[] open = {
      "--host",
      "127.0.0.1",
      "--grpc-host",
      "0.0.0.0",
      "--port",
      "0",
      "--grpc-port",
      "0",
      "--admin-port",
      "0"
    };
    try (ServerProcess server = ServerProcess.startWithFlags(Map.of(), open).awaitReady()) {
      assertThat(server.output()).contains(" (and all other addresses)\n");
      assertThat(isOpen(server.port())).isFalse();
      assertThat(isOpen(server.grpcPort())).isTrue();
    }
  }

  @Test
  void variablesOfEnvoyproxyRatelimitOpenAllAddresses() throws Exception {
    Map<String, String> environment = Map.of("NEAR_LIMIT_RATIO", "0.8");
    try (ServerProcess server =
        ServerProcess.startWithFlags(environment, FREE_PORTS).awaitReady()) {
      assertThat(server.output()).contains(" (and all other addresses), counters in");
      assertThat(isOpen(server.port())).isTrue();
      assertThat(isOpen(server.grpcPort())).isTrue();
    }
  }
}
