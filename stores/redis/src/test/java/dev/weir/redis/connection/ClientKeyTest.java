package dev.weir.redis.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.testkit.TestCertificate;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.X509KeyManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Private keys of clients in every supported format. */
class ClientKeyTest {
  @TempDir private Path directory = Path.of("");

  private static boolean hasKey(KeyManagerFactory factory, String algorithm) {
    for (KeyManager one : factory.getKeyManagers()) {
      if (one instanceof X509KeyManager manager) {
        String[] names = manager.getClientAliases(algorithm, null);
        return names != null && manager.getPrivateKey(names[0]) != null;
      }
    }
    return false;
  }

  @ParameterizedTest
  @ValueSource(strings = {"RSA", "EC", "Ed25519"})
  void pkcs8KeyIsRead(String algorithm) throws Exception {
    TestCertificate own = TestCertificate.make(directory, "own", algorithm);
    KeyManagerFactory read = ClientKey.keyManagers(own.certificate(), own.key());
    assertThat(hasKey(read, algorithm.equals("Ed25519") ? "EdDSA" : algorithm)).isTrue();
  }

  @ParameterizedTest
  @CsvSource({"RSA,RSA PRIVATE KEY", "EC,EC PRIVATE KEY"})
  void pkcs1AndSec1KeysAreRead(String algorithm, String label) throws Exception {
    TestCertificate own = TestCertificate.make(directory, "own", algorithm);
    Path older = own.olderKey();
    assertThat(older).content().startsWith("-----BEGIN " + label + "-----");
    assertThat(hasKey(ClientKey.keyManagers(own.certificate(), older), algorithm)).isTrue();
  }

  @Test
  void parametersBeforeAKeyAreSkipped() throws Exception {
    TestCertificate own = TestCertificate.make(directory, "own", "EC");
    String parameters =
        "-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n";
    Path both = directory.resolve("both.pem");
    Files.writeString(both, parameters + Files.readString(own.olderKey()));
    assertThat(hasKey(ClientKey.keyManagers(own.certificate(), both), "EC")).isTrue();
  }

  @Test
  void invalidFileIsReportedWithoutItsContent() throws Exception {
    TestCertificate own = TestCertificate.make(directory, "own", "RSA");
    TestCertificate other = TestCertificate.make(directory, "other", "RSA");
    TestCertificate curve = TestCertificate.make(directory, "curve", "EC");
    assertInvalid(own.certificate(), directory.resolve("none.pem"))
        .hasMessage(
            "key: %s: cannot be read (expected: a PEM file)", directory.resolve("none.pem"));
    assertInvalid(own.certificate(), own.certificate())
        .hasMessageContaining("own-cert.pem: no private key");
    assertInvalid(own.certificate(), other.key())
        .hasMessageContaining("other-key.pem: the key of another certificate (expected: that of ");
    assertInvalid(own.certificate(), curve.olderKey())
        .hasMessageContaining("cannot be read as a key for RSA");
    assertInvalid(own.key(), own.key())
        .hasMessageContaining("cert: ")
        .hasMessageContaining("no certificate");
    Path encrypted = directory.resolve("encrypted.pem");
    Files.writeString(
        encrypted,
        "-----BEGIN ENCRYPTED PRIVATE KEY-----\nczNjcmV0\n-----END ENCRYPTED PRIVATE KEY-----\n");
    assertInvalid(own.certificate(), encrypted)
        .hasMessageContaining("has a passphrase (expected: PKCS#8, PKCS#1 or SEC1 in PEM")
        .hasMessageNotContaining("czNjcmV0");
    Path broken = directory.resolve("broken.pem");
    Files.writeString(
        broken, "-----BEGIN RSA PRIVATE KEY-----\nczNjcmV0\n-----END RSA PRIVATE KEY-----\n");
    assertInvalid(own.certificate(), broken)
        .hasMessageContaining("broken.pem: cannot be read as a key for RSA")
        .hasMessageNotContaining("czNjcmV0");
  }

  private static org.assertj.core.api.AbstractThrowableAssert<?, ?> assertInvalid(
      Path certificate, Path key) {
    return assertThatThrownBy(() -> ClientKey.keyManagers(certificate, key))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageNotContaining("\n");
  }
}
