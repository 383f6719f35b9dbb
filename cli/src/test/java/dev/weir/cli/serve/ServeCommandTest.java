package dev.weir.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cli.CommandRun;
import dev.weir.cli.ServerProcess;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** Settings that serve refuses at the start; {@code ReadmeIT} covers a server that runs. */
class ServeCommandTest {
  /** Flags whose values are names of hosts, which may exist, or of files to create. */
  private static final Set<String> FREE_FLAGS =
      Set.of(
          "--host",
          "--grpc-host",
          "--admin-allowed-host",
          "--audit-log",
          "--access-log",
          "--denial-log");

  @TempDir private Path directory = Path.of("");

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--store redis | --store: redis (expected: embedded, or a URL such as"
            + " redis://127.0.0.1:6379 or redis-cluster://10.0.0.1,10.0.0.2)",
        "--store :s3cret@h | --store: no URL (expected: embedded, or a URL such as"
            + " redis://127.0.0.1:6379 or redis-cluster://10.0.0.1,10.0.0.2)",
        "--store redis://h:99999 | --store: port: 99999 (expected: a number between 1 and 65535)",
        "--store redis://:s3c/ret@h | --store: store: redis://… (expected: one @, after the"
            + " password; any other, and / ? # in the password, as %40 %2F %3F %23)",
        "--store embedded --store-file x | --store, --store-file: both (expected: one)",
        "--store-file missing | --store-file: missing: no such file or directory",
        "--store-wait 86401 | --store-wait: 86401 (expected: a whole number between 0 and 86400)",
        "--breaker-failures 0 | --breaker-failures: 0 (expected: a whole number between 1 and 1000000)",
        "--breaker-failures -1 | --breaker-failures: -1 (expected: a whole number between 1 and 1000000)",
        "--breaker-rate 0 | --breaker-rate: 0 (expected: a whole number between 1 and 100)",
        "--breaker-rate 101 | --breaker-rate: 101 (expected: a whole number between 1 and 100)",
        "--breaker-recovery 30 | --breaker-recovery: 30 (expected: a time such as 500ms or 30s,"
            + " between 1ms and 3600s)",
        "--breaker-recovery 0ms | --breaker-recovery: 0ms (expected: a time such as 500ms or 30s,"
            + " between 1ms and 3600s)",
        "--breaker-recovery -5s | --breaker-recovery: -5s (expected: a time such as 500ms or 30s,"
            + " between 1ms and 3600s)",
        "--breaker-recovery 3600001ms | --breaker-recovery: 3600001ms (expected: a time such as"
            + " 500ms or 30s, between 1ms and 3600s)",
        "--key-secret-file missing | --key-secret-file: missing: no such file or directory",
        "--rules missing | --rules: missing: no such file or directory",
        "--rules - | --rules: - (expected: a file or a directory, which can be watched)",
        "--xds h:1:2 | --xds: h:1:2 (expected: HOST:PORT)",
        "--xds-node n | --xds-node: n alone (expected: --xds too)",
        "--port 65536 | --port: 65536 (expected: a port between 1 and 65535, or 0 for a free one)",
        "--port http | --port: http (expected: a port between 1 and 65535, or 0 for a free one)",
        "--grpc-port -2 | --grpc-port: -2 (expected: a port between 1 and 65535, 0 for a free one, or -1"
            + " for none)",
        "--admin-host 0.0.0.0 | --admin-host: 0.0.0.0 (expected: a loopback address, or"
            + " --admin-token-env)",
        "--metrics weir,statsd | --metrics: statsd (expected: weir, envoy or both)",
        "--expected-servers 0 | --expected-servers: 0 (expected: a whole number between 1 and 10000)",
        "--admin-allowed-host weir.example.com,a:80 | --admin-allowed-host: a:80 (expected: a name"
            + " such as weir.example.com, without a port)",
        "--operations-token-file missing | --operations-token-file: missing: no such file or"
            + " directory",
        "--admin-token-env UNSET | --admin-token-env: UNSET (expected: a variable that is set)",
        "--viewer-token-env UNSET | --viewer-token-env: UNSET (expected: a variable that is set)",
        "--audit-log /no/such/file | --audit-log: /no/such/file, no such directory (expected: a file"
            + " that can be written)",
        "--audit-log /dev | --audit-log: /dev, Is a directory (expected: a file that can be"
            + " written)",
        "--retry-jitter 101 | --retry-jitter: 101 (expected: a whole number between 0 and 100)",
        "--retry-jitter 1.5 | --retry-jitter: 1.5 (expected: a whole number between 0 and 100)",
        "--headers ietf,x | --headers: x (expected: x_ratelimit, ietf, retry_after or none)",
        "--headers none,ietf | --headers: none,ietf (expected: none alone, or some names)",
        "--request-seconds 0 | --request-seconds: 0 (expected: a whole number between 1 and 3600)",
        "--drain-seconds -1 | --drain-seconds: -1 (expected: a whole number between 0 and 3600)",
        "--admin-port 65536 | --admin-port: 65536 (expected: a port between 1 and 65535, or 0 for a free"
            + " one)",
        "--port 7 --admin-port 7 --admin-host 127.0.0.1 | --port, --admin-port: both 7 (expected: a"
            + " port for each, or 0 for a free one)",
        "--port 8081 | --port, --grpc-port: both 8081 (expected: a port for each, or 0 for a free"
            + " one)",
        "--host localhost --grpc-port 6070 | --grpc-port, --admin-port: both 6070 (expected: a port"
            + " for each, or 0 for a free one)",
        "--max-keys 0 | --max-keys: 0 (expected: a whole number between 1 and 1073741824)",
        "--tls-cert x | --tls-cert: x alone (expected: --tls-key too)",
        "--tls-key x | --tls-key: x alone (expected: --tls-cert too)",
        "--tls-cert missing.pem --tls-key k.pem | --tls-cert: missing.pem: no such file (expected: a"
            + " PEM file)",
      })
  void invalidSettingsAreReportedInOneLine(String flags, String message) {
    CommandRun run = serve(Stream.of(flags.split(" ", -1)).toArray());
    assertThat(run.err()).isEqualTo("weir: " + message + "\n");
  }

  @Test
  void everyFlagIsReportedWithItsValueAndWhatWasExpected() {
    CommandLine serve =
        new CommandLine(
                new ServeCommand(
                    CommandRun.discardingTerminal(), CommandRun.discardingTerminal(), Map.of()))
            .registerConverter(Path.class, Path::of);
    List<String> flags =
        serve.getCommandSpec().options().stream()
            .filter(option -> option.type() != boolean.class)
            .map(option -> option.longestName())
            .filter(flag -> !FREE_FLAGS.contains(flag))
            .toList();
    assertThat(flags).hasSizeGreaterThan(25);
    for (String flag : flags) {
      for (String garbage :
          List.of("", "?", "-99999999999999999999", "1e3", "no/such", "x".repeat(9_999))) {
        CommandRun run = CommandRun.weir("serve", flag + "=" + garbage).assertHarmless();
        assertThat(run.exit()).as("%s %s", flag, run).isEqualTo(2);
        assertThat(run.err())
            .as("%s %s", flag, garbage)
            .matches("(?s)weir(?: serve)?: " + flag + ": .*")
            .containsAnyOf(" (expected: ", "no such file", "File name too long");
        if (garbage.equals("?") && !flag.equals("--store")) { // its value may be a password
          assertThat(run.err()).contains(garbage);
        }
      }
    }
  }

  @Test
  void errorsNameVariablesOfEnvoyproxyRatelimit() {
    Map<String, String> expected =
        Map.of(
            "PORT=6070", "PORT, --admin-port: both 6070 (expected: a port for each, or 0 for a",
            "DEBUG_PORT=8080", "--port, DEBUG_PORT: both 8080 (expected: ",
            "PROMETHEUS_ADDR=:8080", "--port, PROMETHEUS_ADDR: both 8080 (expected: ",
            "PROMETHEUS_ADDR=9090x", "PROMETHEUS_ADDR: 9090x (expected: HOST:PORT or :PORT)",
            "PROMETHEUS_PATH=metrics",
                "PROMETHEUS_PATH: metrics (expected: a path, such as /metrics)",
            "LIMIT_RESET_HEADER=a b", "LIMIT_RESET_HEADER: a b (expected: the name of a header)",
            "GRPC_PORT=-1", "GRPC_PORT: -1 (expected: a port between 0 and 65535)",
            "RUNTIME_ROOT=/no/such", "RUNTIME_ROOT: /no/such/config: no such file or directory");
    expected.forEach(
        (variable, message) -> {
          Map<String, String> environment = new HashMap<>(Map.of("USE_PROMETHEUS", "true"));
          environment.put("PROMETHEUS_ADDR", "127.0.0.1:0");
          int equals = variable.indexOf('=');
          environment.put(variable.substring(0, equals), variable.substring(equals + 1));
          CommandRun run = CommandRun.in(environment, false, "serve").assertHarmless();
          assertThat(run.exit()).as(variable).isEqualTo(2);
          assertThat(run.err()).as(variable).startsWith("weir: " + message).hasLineCount(1);
        });
  }

  @Test
  void unusableAddressIsReportedByItsFlag() throws Exception {
    assertThat(
            serve("--host", "203.0.113.9", "--port", 0, "--grpc-port", 0, "--admin-port", 0).err())
        .isEqualTo(
            "weir: --host: 203.0.113.9, not an address of this machine (expected: an address of this"
                + " machine)\n");
    assertThat(
            serve("--grpc-host", "203.0.113.9", "--port", 0, "--grpc-port", 0, "--admin-port", 0)
                .err())
        .startsWith("weir: --grpc-host: 203.0.113.9, not an address of this machine ");
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      int port = taken.getLocalPort();
      for (String flag : List.of("--port", "--grpc-port", "--admin-port")) {
        List<Object> flags = new ArrayList<>(List.of("--host", "127.0.0.1", flag, port));
        for (String other : List.of("--port", "--grpc-port", "--admin-port")) {
          if (!other.equals(flag)) {
            flags.addAll(List.of(other, 0));
          }
        }
        assertThat(serve(flags.toArray()).err())
            .isEqualTo(
                "weir: %s: %d, address already in use on 127.0.0.1 (expected: a free port, or 0 to"
                        .formatted(flag, port)
                    + " choose one)\n");
      }
    }
  }

  @Test
  void secondProcessOnTheSamePortsIsRefused() throws Exception {
    try (ServerProcess first = ServerProcess.start(Map.of()).awaitReady()) {
      int port = URI.create(first.url()).getPort();
      String taken = "weir: --port: " + port + ", address already in use on ";
      assertThat(
              serve("--host", "127.0.0.1", "--port", port, "--grpc-port", 0, "--admin-port", 0)
                  .err())
          .startsWith(taken + "127.0.0.1 ");
      assertThat(serve("--port", port, "--grpc-port", 0, "--admin-port", 0).err())
          .startsWith(taken + "127.0.0.1 ");
      assertThat(
              serve("--host", "0.0.0.0", "--port", port, "--grpc-port", 0, "--admin-port", 0).err())
          .startsWith(taken + "0.0.0.0 ");
      assertThat(first.check("/hello")).isEqualTo(200);
    }
  }

  @Test
  void invalidTlsFilesAreReportedByFlagAndName() throws Exception {
    Path garbage = Files.writeString(directory.resolve("garbage.pem"), "garbage");
    assertThat(serve("--tls-cert", garbage, "--tls-key", garbage).err())
        .isEqualTo(
            "weir: --tls-cert: "
                + garbage
                + ": no certificate (expected: PEM, the server's own first)\n");
  }

  private static CommandRun serve(Object... flags) {
    Object[] words = Stream.concat(Stream.of("serve"), Stream.of(flags)).toArray();
    CommandRun run = CommandRun.weir(words).assertHarmless();
    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    return run;
  }
}
