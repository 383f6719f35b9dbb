package dev.weir.server.xds;

import static dev.weir.server.xds.TestConfigs.daily;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.server.tls.Tls;
import dev.weir.testkit.TestCertificate;
import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.netty.handler.ssl.ClientAuth;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContext;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContextBuilder;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** TLS with management servers, with and without client certificates. */
@Timeout(60)
class XdsTlsTest {
  @TempDir private static Path directory = Path.of("");

  @SuppressWarnings("NullAway.Init") // made before all tests
  private static TestCertificate its;

  @SuppressWarnings("NullAway.Init")
  private static TestCertificate ours;

  @BeforeAll
  static void certificates() throws Exception {
    its = TestCertificate.make(directory, "its", "EC");
    ours = TestCertificate.make(directory, "ours", "RSA");
  }

  private static SslContext shown(boolean asking) throws Exception {
    SslContextBuilder builder =
        GrpcSslContexts.forServer(its.certificate().toFile(), its.key().toFile());
    if (asking) {
      builder.clientAuth(ClientAuth.REQUIRE).trustManager(ours.certificate().toFile());
    }
    return builder.build();
  }

  private static LoadedRules taken(ManagementServer server, XdsTls tls) {
    tls.check();
    return new LoadedRules(
        XdsSettings.at(server.address()).withRetries(LoadedRules.QUICK_RETRIES).withTls(tls));
  }

  private static XdsTls tls(@Nullable Path authority, @Nullable String name) {
    return new XdsTls(authority, null, name);
  }

  private static void assertServed(ManagementServer server, LoadedRules taken) throws Exception {
    ManagementServer.Stream stream = server.stream();
    stream.next();
    stream.send("v1", "n1", daily("shop", 1));
    assertThat(stream.next().getVersionInfo()).isEqualTo("v1");
    taken.awaitLimits("shop.one 1 DAY");
  }

  private static void assertNotServed(ManagementServer server, LoadedRules taken) throws Exception {
    LoadedRules.await(() -> !taken.warnings.isEmpty());
    assertThat(server.isAlone()).isTrue();
    assertThat(taken.board.isLoaded()).isFalse();
  }

  @Test
  void serverWithCertificateOfTheCaIsTrusted() throws Exception {
    try (ManagementServer server = ManagementServer.withTls(shown(false));
        LoadedRules taken = taken(server, tls(its.certificate(), null))) {
      assertServed(server, taken);
    }
  }

  @Test
  void certificateNameIsConfigurable() throws Exception {
    try (ManagementServer server = ManagementServer.withTls(shown(false));
        LoadedRules taken = taken(server, tls(its.certificate(), "localhost"))) {
      assertServed(server, taken);
    }
  }

  @Test
  void certificateForAnotherNameIsRejected() throws Exception {
    try (ManagementServer server = ManagementServer.withTls(shown(false));
        LoadedRules taken = taken(server, tls(its.certificate(), "xds.example.org"))) {
      assertNotServed(server, taken);
      assertThat(taken.warnings.get(0)).contains("xds.example.org");
    }
  }

  @Test
  void certificateOfUnknownCaIsRejected() throws Exception {
    try (ManagementServer server = ManagementServer.withTls(shown(false));
        LoadedRules byJava = taken(server, tls(null, null))) {
      assertNotServed(server, byJava);
    }
    try (ManagementServer server = ManagementServer.withTls(shown(false));
        LoadedRules byOther = taken(server, tls(ours.certificate(), null))) {
      assertNotServed(server, byOther);
    }
  }

  @Test
  void clientCertificateIsSentOnRequest() throws Exception {
    XdsTls both = new XdsTls(its.certificate(), new Tls(ours.certificate(), ours.key()), null);
    try (ManagementServer server = ManagementServer.withTls(shown(true));
        LoadedRules taken = taken(server, both)) {
      assertServed(server, taken);
    }
    try (ManagementServer server = ManagementServer.withTls(shown(true));
        LoadedRules taken = taken(server, tls(its.certificate(), null))) {
      assertNotServed(server, taken);
    }
  }

  @Test
  void invalidFilesAreReported() throws Exception {
    Path garbage = Files.writeString(directory.resolve("garbage.pem"), "garbage");
    assertThatThrownBy(() -> tls(garbage, null).check())
        .hasMessage("tls-ca: " + garbage + ": no certificate (expected: a PEM file)");
    assertThatThrownBy(() -> tls(directory.resolve("none"), null).check())
        .hasMessageContaining("none: no certificate (expected: a PEM file)");
  }
}
