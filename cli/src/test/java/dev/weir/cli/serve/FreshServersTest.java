package dev.weir.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.weir.cli.Readiness;
import dev.weir.cli.ServerProcess;
import dev.weir.server.warmup.Call;
import dev.weir.server.warmup.Http2Caller;
import dev.weir.testkit.Effort;
import dev.weir.testkit.Ports;
import dev.weir.testkit.redis.RedisServer;
import java.io.BufferedReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two servers that have just started on one Redis are exact from the first request on: the limit
 * holds as soon as they are ready, and no decision is made without Redis. Only the servers
 * themselves warm up anything.
 */
class FreshServersTest {
  private static final int CALLERS = 64;
  private static final String RULES =
      """
      rules:
        - {name: window, match: {path: /window}, limit: 30/day, algorithm: fixed-window}
        - {name: log, match: {path: /log}, limit: 5/day, algorithm: sliding-log, when-store-fails: deny}
        - {name: envoy, match: {domain: d}, limit: 100/day}
      """;

  private static final int ROUNDS = Effort.of("weir.rounds", 2, 20);

  @TempDir private Path directory = Path.of("");

  @Test
  void limitHoldsFromTheFirstRequestOn() throws Exception {
    Path rules = Files.writeString(directory.resolve("rules.yaml"), RULES);
    for (int round = 1; round <= ROUNDS; round++) {
      List<Integer> ports = List.of(Ports.free(), Ports.free());
      Process stampede = stampede("/window,/log", ports);
      try (RedisServer redis = RedisServer.start();
          ServerProcess one = serving(rules, redis, ports.get(0), 0);
          ServerProcess two = serving(rules, redis, ports.get(1), 0);
          BufferedReader lines = stampede.inputReader(StandardCharsets.UTF_8)) {
        assertThat(lines.lines())
            .as("round %d, %s%s", round, one.output(), two.output())
            .containsExactly(
                "/window: passed 30, denied 226, degraded 0, failed 0",
                "/log: passed 5, denied 251, degraded 0, failed 0");
      } finally {
        stampede.destroyForcibly();
      }
    }
  }

  /** Envoy waits for 20 ms by default, and then lets requests pass. */
  @Test
  @Tag(Effort.TAG)
  void firstGrpcCallIsAnsweredWithinEnvoysTimeout() throws Exception {
    Path rules = Files.writeString(directory.resolve("rules.yaml"), RULES);
    call(rules); // warms up this client
    List<Long> millis = new ArrayList<>();
    for (int start = 0; start < 20; start++) {
      millis.add(call(rules));
    }
    System.out.println("First calls over gRPC, in ms: " + millis);
    assertThat(millis.stream().filter(took -> took < 20)).hasSizeGreaterThanOrEqualTo(19);
  }

  /** Starts a server, calls it once, and returns how long the call took in milliseconds. */
  private static long call(Path rules) throws Exception {
    int port = Ports.free();
    int grpcPort = Ports.free();
    try (RedisServer redis = RedisServer.start();
        ServerProcess server = serving(rules, redis, port, grpcPort)) {
      assertThat(server.isAlive()).isTrue();
      // {domain: "d", descriptors: [{entries: [{key: "k", value: "v"}]}]}
      ByteString message = ByteString.copyFromUtf8("\n\1d\22\10\n\6\n\1k\22\1v");
      ByteString prefix = ByteString.copyFrom(new byte[] {0, 0, 0, 0, (byte) message.size()});
      Map<String, String> headers = Map.of("content-type", "application/grpc", "te", "trailers");
      String path = "/envoy.service.ratelimit.v3.RateLimitService/ShouldRateLimit";
      Call call = new Call("POST", path, headers, prefix.concat(message));
      Readiness.await(port);
      long start = System.nanoTime();
      try (Http2Caller caller =
          new Http2Caller(new Socket(InetAddress.getLoopbackAddress(), grpcPort))) {
        caller.call(List.of(call));
      }
      return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
    }
  }

  private static ServerProcess serving(Path rules, RedisServer redis, int port, int grpcPort)
      throws Exception {
    String url = "redis://127.0.0.1:" + redis.port();
    return ServerProcess.withDefaultJvm(port, grpcPort, "--rules", rules, "--store", url);
  }

  /** Starts callers that wait for servers which are not started yet. */
  private static Process stampede(String paths, List<Integer> ports) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of(Stampede.class.getName(), paths, "" + CALLERS, "4"));
    ports.forEach(port -> command.add(port.toString()));
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }
}
