package dev.weir.server;

import static dev.weir.rules.domain.TestDomains.at;
import static dev.weir.server.RlsClient.about;
import static dev.weir.server.RlsClient.codes;
import static dev.weir.server.RlsClient.refunding;
import static dev.weir.server.RlsClient.remaining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.memory.MemoryStore;
import dev.weir.rules.domain.DomainBook;
import dev.weir.rules.domain.TestDomains;
import dev.weir.rules.domain.Unit;
import dev.weir.server.settings.ServerSettings;
import dev.weir.server.tls.Tls;
import dev.weir.server.tls.TlsReload;
import dev.weir.testkit.TestCertificate;
import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.Code;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitServiceGrpc;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContextBuilder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The gRPC port with TLS, with and without client certificates. */
@Timeout(300)
class GrpcTlsTest {
  private static final DomainBook DOMAINS = TestDomains.book("shop", at("one").per(9, Unit.DAY));

  @TempDir private static Path shared = Path.of("");
  @TempDir private Path directory = Path.of("");

  private Path certificate = Path.of("");
  private Path key = Path.of("");

  @BeforeEach
  void ownFiles() throws Exception {
    certificate = directory.resolve("cert.pem");
    key = directory.resolve("key.pem");
    install(made("server"));
  }

  private static TestCertificate made(String name) throws Exception {
    return Files.exists(shared.resolve(name + ".p12"))
        ? new TestCertificate(
            shared.resolve(name + "-cert.pem"),
            shared.resolve(name + "-key.pem"),
            javax.net.ssl.SSLContext.getDefault())
        : TestCertificate.make(shared, name, "EC");
  }

  private void install(TestCertificate made) throws Exception {
    Files.copy(made.certificate(), certificate, StandardCopyOption.REPLACE_EXISTING);
    Files.copy(made.key(), key, StandardCopyOption.REPLACE_EXISTING);
  }

  private TestServer served(Tls.@Nullable Clients clients) {
    ServerSettings settings = ServerSettings.DEFAULT.withTls(new Tls(certificate, key, clients));
    return TestServer.with(RlsContract.NO_RULES, settings, new MemoryStore(), DOMAINS);
  }

  /** Sends one request on a new connection. */
  private static RateLimitResponse ask(
      TestServer served, TestCertificate trusted, @Nullable TestCertificate own) throws Exception {
    return ask(served, trusted, own, about("one", "a"));
  }

  private static RateLimitResponse ask(
      TestServer served,
      TestCertificate trusted,
      @Nullable TestCertificate own,
      RateLimitDescriptor.Builder asked)
      throws Exception {
    SslContextBuilder tls =
        GrpcSslContexts.forClient().trustManager(trusted.certificate().toFile());
    if (own != null) {
      tls.keyManager(own.certificate().toFile(), own.key().toFile());
    }
    ManagedChannel channel =
        NettyChannelBuilder.forAddress("localhost", served.server.grpcPort())
            .sslContext(tls.build())
            .build();
    try {
      return RateLimitServiceGrpc.newBlockingStub(channel)
          .withDeadlineAfter(60, TimeUnit.SECONDS)
          .shouldRateLimit(RlsClient.request(asked).build());
    } finally {
      channel.shutdownNow();
    }
  }

  private static void assertRefused(TestServer served, @Nullable TestCertificate own)
      throws Exception {
    TestCertificate server = made("server");
    assertThatThrownBy(() -> ask(served, server, own))
        .isInstanceOfSatisfying(
            StatusRuntimeException.class,
            e -> assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.UNAVAILABLE));
  }

  @Test
  void serverPresentsItsCertificate() throws Exception {
    try (TestServer served = served(null)) {
      assertThat(codes(ask(served, made("server"), null))).containsExactly(Code.OK, Code.OK);
    }
  }

  @Test
  void onlyClientsWithCertificateOfTheCaConnect() throws Exception {
    try (TestServer served = served(new Tls.Clients(made("client").certificate(), ""))) {
      assertThat(codes(ask(served, made("server"), made("client"))))
          .containsExactly(Code.OK, Code.OK);
      assertRefused(served, null);
      assertRefused(served, made("stranger"));
      assertThat(codes(ask(served, made("server"), made("client")))).contains(Code.OK);
    }
  }

  @Test
  void onlyClientsWithCertificateMayRefund() throws Exception {
    try (TestServer served = served(new Tls.Clients(made("client").certificate(), ""))) {
      ask(served, made("server"), made("client"));
      assertThat(remaining(ask(served, made("server"), made("client"), refunding(1, "one", "a"))))
          .containsExactly(9);
    }
    try (TestServer served = served(null)) {
      assertThatThrownBy(() -> ask(served, made("server"), null, refunding(1, "one", "a")))
          .isInstanceOfSatisfying(
              StatusRuntimeException.class,
              e -> assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.UNAUTHENTICATED));
    }
  }

  @Test
  void clientCertificateMustContainTheConfiguredName() throws Exception {
    try (TestServer served = served(new Tls.Clients(made("client").certificate(), "localhost"))) {
      assertThat(codes(ask(served, made("server"), made("client")))).contains(Code.OK);
    }
    try (TestServer served =
        served(new Tls.Clients(made("client").certificate(), "envoy.internal"))) {
      assertRefused(served, made("client"));
    }
  }

  @Test
  void renewedCertificateIsReloadedAtRuntime() throws Exception {
    TestCertificate renewed = made("renewed");
    try (TestServer served = served(null)) {
      ask(served, made("server"), null);
      Files.writeString(certificate, "half a file");
      Thread.sleep(3 * TlsReload.PERIOD_MILLIS);
      assertThat(codes(ask(served, made("server"), null))).as("the old one").contains(Code.OK);
      install(renewed);
      awaitServed(served, renewed);
      assertThatThrownBy(() -> ask(served, made("server"), null))
          .isInstanceOf(StatusRuntimeException.class);
    }
  }

  private static void awaitServed(TestServer served, TestCertificate renewed) throws Exception {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (true) {
      try {
        ask(served, renewed, null);
        return;
      } catch (StatusRuntimeException e) {
        assertThat(System.nanoTime()).as("still the old one").isLessThan(end);
        Thread.sleep(100);
      }
    }
  }

  @Test
  void invalidCaFileIsReportedByName() throws Exception {
    Path garbage = Files.writeString(directory.resolve("ca.pem"), "garbage");
    assertThatThrownBy(() -> new Tls(certificate, key, new Tls.Clients(garbage, "")).check())
        .hasMessage(
            "grpc-client-ca: "
                + garbage
                + ": no certificate (expected: a PEM file with certificates)");
  }
}
