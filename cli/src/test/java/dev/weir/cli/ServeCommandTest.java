package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What serve refuses before it serves; that it serves is shown by {@link ReadmeIT}. */
class ServeCommandTest {
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
        "--store-file missing | missing: no such file or directory",
        "--store-wait 86401 | --store-wait: 86401 (expected: between 0 and 86400)",
        "--breaker-failures 0 | --breaker-failures: 0 (expected: between 1 and 1000000)",
        "--breaker-failures -1 | --breaker-failures: -1 (expected: between 1 and 1000000)",
        "--breaker-rate 0 | --breaker-rate: 0 (expected: between 1 and 100)",
        "--breaker-rate 101 | --breaker-rate: 101 (expected: between 1 and 100)",
        "--breaker-recovery 30 | --breaker-recovery: 30 (expected: a time such as 500ms or 30s,"
            + " between 1ms and 3600s)",
        "--breaker-recovery 0ms | --breaker-recovery: 0ms (expected: a time such as 500ms or 30s,"
            + " between 1ms and 3600s)",
        "--breaker-recovery -5s | --breaker-recovery: -5s (expected: a time such as 500ms or 30s,"
            + " between 1ms and 3600s)",
        "--breaker-recovery 3600001ms | --breaker-recovery: 3600001ms (expected: a time such as"
            + " 500ms or 30s, between 1ms and 3600s)",
        "--key-secret-file missing | missing: no such file or directory",
        "--port 65536 | port: 65536 (expected: between 0 and 65535)",
        "--grpc-port -2 | gRPC port: -2 (expected: between 0 and 65535, or -1 for none)",
        "--admin-host 0.0.0.0 | admin host: 0.0.0.0 (expected: a loopback address, or a token for"
            + " administrators)",
        "--metrics weir,statsd | metrics: statsd (expected: weir, envoy or both)",
        "--admin-token-env UNSET | --admin-token-env: UNSET (expected: a variable that is set)",
        "--retry-jitter 101 | jitter: 101 (expected: between 0 and 100)",
        "--request-seconds 0 | request time: 0 s (expected: between 1 and 3600)",
        "--drain-seconds -1 | drain time: -1 s (expected: between 0 and 3600)",
        "--admin-port 65536 | admin port: 65536 (expected: between 0 and 65535)",
        "--max-keys 0 | maxKeys: 0 (expected: between 1 and 1073741824)",
        "--tls-cert x | --tls-cert, --tls-key: one (expected: both or none)",
        "--tls-cert missing.pem --tls-key k.pem | --tls-cert: missing.pem: no such file (expected: a"
            + " PEM file)",
      })
  void settingsThatMakeNoSenseAreToldInOneLine(String flags, String message) {
    Ran ran = serve(Stream.of(flags.split(" ", -1)).toArray());
    assertThat(ran.err()).isEqualTo("weir: " + message + "\n");
  }

  @Test
  void filesForTlsThatAreNoneAreToldByFlagAndName() throws Exception {
    Path garbage = Files.writeString(directory.resolve("garbage.pem"), "garbage");
    assertThat(serve("--tls-cert", garbage, "--tls-key", garbage).err())
        .isEqualTo(
            "weir: --tls-cert: "
                + garbage
                + ": no certificate (expected: PEM, the server's own first)\n");
  }

  private static Ran serve(Object... flags) {
    Object[] words = Stream.concat(Stream.of("serve"), Stream.of(flags)).toArray();
    Ran ran = Ran.weir(words).isHarmless();
    assertThat(ran.exit()).isEqualTo(2);
    assertThat(ran.out()).isEmpty();
    return ran;
  }
}
