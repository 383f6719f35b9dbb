package dev.weir.cli.ratelimit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.server.tls.Tls;
import dev.weir.server.xds.XdsSettings;
import dev.weir.server.xds.XdsSettings.Retries;
import dev.weir.server.xds.XdsTls;
import dev.weir.testkit.TestCertificate;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The xDS management server in typical environments of envoyproxy/ratelimit. */
class XdsVariablesTest {
  private static RatelimitEnvironment environment(String... pairs) {
    Map<String, String> variables = new HashMap<>(Map.of("CONFIG_TYPE", "GRPC_XDS_SOTW"));
    for (String pair : pairs) {
      int equals = pair.indexOf('=');
      variables.put(pair.substring(0, equals), pair.substring(equals + 1));
    }
    return new RatelimitEnvironment(variables);
  }

  private static XdsSettings settings(String... pairs) {
    RatelimitEnvironment environment = environment(pairs);
    XdsSettings settings = environment.xds().orElseThrow();
    assertThat(environment.problems()).isEmpty();
    return settings;
  }

  @Test
  void configurationInFilesNeedsNoServer() {
    assertThat(environment("CONFIG_TYPE=FILE", "CONFIG_GRPC_XDS_SERVER_URL=h:1").xds()).isEmpty();
    assertThat(new RatelimitEnvironment(Map.of("BACKEND_TYPE", "redis")).xds()).isEmpty();
  }

  @Test
  void everySettingHasADefault() {
    assertThat(settings()).isEqualTo(XdsSettings.at("localhost:18000"));
  }

  @Test
  void everySettingCanBeConfigured() {
    XdsSettings settings =
        settings(
            "CONFIG_GRPC_XDS_SERVER_URL=xds.example.org:9000",
            "CONFIG_GRPC_XDS_NODE_ID=edge",
            "CONFIG_GRPC_XDS_NODE_METADATA=zone=b,of=a=b,neither",
            "CONFIG_GRPC_XDS_CLIENT_ADDITIONAL_HEADERS=x-token:s3cret,x-id:a:b",
            "CONFIG_GRPC_XDS_SERVER_CONNECT_RETRY_INTERVAL=500ms",
            "XDS_CLIENT_BACKOFF_INITIAL_INTERVAL=2s",
            "XDS_CLIENT_BACKOFF_MAX_INTERVAL=1m30s",
            "XDS_CLIENT_BACKOFF_RANDOM_FACTOR=0.25",
            "XDS_CLIENT_MAX_MSG_SIZE_IN_BYTES=8000000",
            "FORCE_START_WITHOUT_INITIAL_CONFIG=true");
    assertThat(settings.address()).isEqualTo("xds.example.org:9000");
    assertThat(settings.node()).isEqualTo("edge");
    assertThat(settings.metadata()).isEqualTo(Map.of("zone", "b", "of", "a=b"));
    assertThat(settings.headers()).isEqualTo(Map.of("x-token", "s3cret", "x-id", "a:b"));
    assertThat(settings.retries())
        .isEqualTo(
            new Retries(
                Duration.ofMillis(500),
                Duration.ofSeconds(2),
                Duration.ofSeconds(90),
                0.25,
                Retries.DEFAULT.silence()));
    assertThat(settings.maxMessageBytes()).isEqualTo(8_000_000);
    assertThat(settings.forceStart()).isTrue();
    assertThat(settings.tls()).isNull();
  }

  @Test
  void jitterCanBeOffAndMessageSizeIsCapped() {
    assertThat(settings("XDS_CLIENT_BACKOFF_JITTER=false").retries().jitter()).isZero();
    assertThat(settings("XDS_CLIENT_MAX_MSG_SIZE_IN_BYTES=2000000000").maxMessageBytes())
        .isEqualTo(XdsSettings.MAX_MESSAGE_BYTES);
  }

  @Test
  void certificatesAreRead(@TempDir Path directory) throws Exception {
    TestCertificate own = TestCertificate.make(directory, "own", "EC");
    XdsSettings settings =
        settings(
            "CONFIG_GRPC_XDS_SERVER_USE_TLS=true",
            "CONFIG_GRPC_XDS_SERVER_TLS_CACERT=" + own.certificate(),
            "CONFIG_GRPC_XDS_CLIENT_TLS_CERT=" + own.certificate(),
            "CONFIG_GRPC_XDS_CLIENT_TLS_KEY=" + own.key(),
            "CONFIG_GRPC_XDS_SERVER_TLS_SAN=xds.example.org");
    Tls presented = new Tls(own.certificate(), own.key());
    assertThat(settings.tls())
        .isEqualTo(new XdsTls(own.certificate(), presented, "xds.example.org"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          CONFIG_TYPE=FLIE                                 | CONFIG_TYPE: FLIE (expected: FILE or GRPC_XDS_SOTW)
          CONFIG_GRPC_XDS_SERVER_URL=http://h:1            | CONFIG_GRPC_XDS_SERVER_URL: http://h:1 (expected: HOST:PORT)
          CONFIG_GRPC_XDS_CLIENT_ADDITIONAL_HEADERS=a b:c  | CONFIG_GRPC_XDS_CLIENT_ADDITIONAL_HEADERS: a b (expected: letters, digits, and _ . -, and not to begin with grpc-)
          XDS_CLIENT_BACKOFF_INITIAL_INTERVAL=10           | XDS_CLIENT_BACKOFF_INITIAL_INTERVAL: 10 (expected: a duration, such as 10s or 1m30s)
          XDS_CLIENT_BACKOFF_MAX_INTERVAL=2h               | XDS_CLIENT_BACKOFF_MAX_INTERVAL: 7200 s (expected: between 10 s and 3600 s)
          XDS_CLIENT_BACKOFF_RANDOM_FACTOR=2               | XDS_CLIENT_BACKOFF_RANDOM_FACTOR: 2 (expected: a number between 0 and 1)
          XDS_CLIENT_MAX_MSG_SIZE_IN_BYTES=4MB             | XDS_CLIENT_MAX_MSG_SIZE_IN_BYTES: 4MB (expected: a number of bytes)
          XDS_CLIENT_MAX_MSG_SIZE_IN_BYTES=10              | XDS_CLIENT_MAX_MSG_SIZE_IN_BYTES: 10 (expected: between 1024 and 67108864 bytes)
          """)
  void invalidVariableIsReported(String variable, String problem) {
    RatelimitEnvironment environment = environment(variable);
    environment.xds();
    assertThat(environment.problems()).containsExactly(problem);
  }

  @Test
  void incompletePairsAndInvalidFilesAreReported() {
    RatelimitEnvironment half =
        environment("CONFIG_GRPC_XDS_SERVER_USE_TLS=1", "CONFIG_GRPC_XDS_CLIENT_TLS_CERT=c.pem");
    half.xds();
    assertThat(half.problems())
        .isEqualTo(
            List.of(
                "CONFIG_GRPC_XDS_CLIENT_TLS_CERT, CONFIG_GRPC_XDS_CLIENT_TLS_KEY: one (expected:"
                    + " both or none)"));
    RatelimitEnvironment missing =
        environment(
            "CONFIG_GRPC_XDS_SERVER_USE_TLS=1", "CONFIG_GRPC_XDS_SERVER_TLS_CACERT=none.pem");
    missing.xds();
    assertThat(missing.problems())
        .containsExactly(
            "CONFIG_GRPC_XDS_SERVER_TLS_CACERT: none.pem: no certificate (expected: a PEM file)");
  }
}
