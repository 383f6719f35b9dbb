package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.server.settings.ServerSettings;
import dev.weir.server.tls.Tls;
import dev.weir.testkit.TestCertificate;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** TLS with a short-lived self-signed certificate. */
class TlsTest {
  private static final String RULES = "rules: [{name: all, limit: 100/hour}]";

  @TempDir private Path directory = Path.of("");

  @ParameterizedTest
  @CsvSource({"EC, HTTP_1_1", "EC, HTTP_2", "RSA, HTTP_2"})
  void clientThatTrustsTheCertificateIsServedInItsHttpVersion(
      String algorithm, HttpClient.Version version) throws Exception {
    TestCertificate certificate = TestCertificate.make(directory, "own", algorithm);
    try (TestServer served =
        TestServer.with(RULES, ServerSettings.DEFAULT.withTls(files(certificate)))) {
      HttpClient client =
          HttpClient.newBuilder().sslContext(certificate.trusting()).version(version).build();
      for (int left = 99; left > 96; left--) {
        HttpResponse<String> allowed = ask(client, served.server.port(), "/v1/check/", "");
        assertThat(allowed.statusCode()).isEqualTo(200);
        assertThat(allowed.version()).isEqualTo(version);
        assertThat(CheckTest.header(allowed, "X-RateLimit-Remaining")).isEqualTo("" + left);
      }
      String body = "{\"values\": {\"path\": \"/\"}}";
      assertThat(ask(client, served.server.port(), "/v1/decide", body).statusCode()).isEqualTo(200);
      assertThat(ask(client, served.server.adminPort(), "/explain", body).statusCode())
          .isEqualTo(200);
      assertThatThrownBy(() -> ask(served.client, served.server.port(), "/v1/check/", ""))
          .isInstanceOf(SSLHandshakeException.class);
    }
  }

  private static HttpResponse<String> ask(HttpClient client, int port, String path, String body)
      throws IOException, InterruptedException {
    URI uri = URI.create("https://127.0.0.1:" + port + path);
    return client.send(
        HttpRequest.newBuilder(uri)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(body))
            .build(),
        BodyHandlers.ofString());
  }

  @Test
  void incompleteRequestOverTlsTimesOutAndIdleConnectionDoesNot() throws Exception {
    TestCertificate certificate = TestCertificate.make(directory, "own", "EC");
    Duration time = Duration.ofMillis(800);
    try (TestServer served =
            TestServer.with(
                RULES, ServerSettings.DEFAULT.withTls(files(certificate)).withRequestTime(time));
        SSLSocket socket =
            (SSLSocket)
                certificate
                    .trusting()
                    .getSocketFactory()
                    .createSocket("127.0.0.1", served.server.port())) {
      socket.setSoTimeout(60_000);
      socket.startHandshake();
      OutputStream out = socket.getOutputStream();
      Thread.sleep(time.toMillis() * 2);
      out.write("GET /v1/check/ HTTP/1.1\r\nHost: h\r\n".getBytes(StandardCharsets.US_ASCII));
      out.flush();
      String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
      assertThat(answer).startsWith("HTTP/1.1 408 ").endsWith("}");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"RSA", "EC"})
  void keysInOlderFormatsAreAccepted(String algorithm) throws Exception {
    TestCertificate own = TestCertificate.make(directory, "older", algorithm);
    new Tls(own.certificate(), own.olderKey()).check();
  }

  @Test
  void unusableFilesAreReportedByName() throws Exception {
    Tls own = files(TestCertificate.make(directory, "own", "EC"));
    Tls other = files(TestCertificate.make(directory, "other", "EC"));
    Tls rsa = files(TestCertificate.make(directory, "rsa", "RSA"));
    own.check();
    rsa.check();
    Path missing = directory.resolve("missing.pem");
    Path garbage = Files.writeString(directory.resolve("garbage.pem"), "garbage\n");
    Path broken =
        Files.writeString(
            directory.resolve("broken.pem"),
            Files.readString(own.key()).replaceFirst("\n.{20}", "\n"));
    Path encrypted =
        Files.writeString(
            directory.resolve("encrypted.pem"),
            Files.readString(own.key()).replace("PRIVATE KEY", "ENCRYPTED PRIVATE KEY"));
    refused(missing, own.key(), "tls-cert: " + missing + ": no such file");
    refused(directory, own.key(), "tls-cert: " + directory + ": cannot be read");
    refused(garbage, own.key(), "tls-cert: " + garbage + ": no certificate");
    refused(own.key(), own.certificate(), "tls-cert: " + own.key() + ": no certificate");
    refused(own.certificate(), missing, "tls-key: " + missing + ": no such file");
    refused(own.certificate(), garbage, "tls-key: " + garbage + ": no private key");
    refused(own.certificate(), broken, "tls-key: " + broken + ": no private key that can be used");
    refused(own.certificate(), encrypted, "tls-key: " + encrypted + ": no private key");
    refused(
        own.certificate(),
        other.key(),
        "tls-key: " + other.key() + ": the key of another certificate");
    // A key of another algorithm.
    refused(own.certificate(), rsa.key(), "tls-key: " + rsa.key() + ": no private key that can");
    refused(rsa.certificate(), own.key(), "tls-key: " + own.key() + ": no private key that can");
  }

  private static void refused(Path certificate, Path key, String message) {
    assertThatThrownBy(() -> new Tls(certificate, key).check())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(message)
        .hasMessageContaining("(expected: ");
  }

  static Tls files(TestCertificate certificate) {
    return new Tls(certificate.certificate(), certificate.key());
  }
}
