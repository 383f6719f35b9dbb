package dev.weir.server.tls;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.PemKeyCertOptions;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import javax.net.ssl.KeyManager;
import javax.net.ssl.X509KeyManager;

/** Checks PEM files before a server starts with them, and reports which one is wrong and why. */
final class TlsFiles {
  private static final int MAX_BYTES = 1 << 20;

  /** Data that is signed to test whether a private key fits a certificate. */
  private static final byte[] SAMPLE = {1};

  private TlsFiles() {}

  /**
   * Checks that all files are readable and that the key belongs to the certificate.
   *
   * @throws IllegalArgumentException if not; the message names the file and what is expected
   */
  static void check(Tls tls) {
    String certificates = read("tls-cert", tls.certificate());
    X509Certificate certificate = first(tls.certificate(), certificates);
    String key = read("tls-key", tls.key());
    if (!key.contains("PRIVATE KEY-----") || key.contains("ENCRYPTED")) {
      throw refused("tls-key", tls.key(), "no private key", "PEM, without a passphrase");
    }
    PrivateKey loaded = key(tls, certificates, key, certificate.getPublicKey());
    if (!isPair(loaded, certificate.getPublicKey())) {
      String expected = "the private key of " + tls.certificate();
      throw refused("tls-key", tls.key(), "the key of another certificate", expected);
    }
    if (tls.clients() != null) {
      ClientTrust.of(tls.clients());
    }
  }

  private static String read(String name, Path file) {
    try (InputStream in = Files.newInputStream(file)) {
      return new String(in.readNBytes(MAX_BYTES), StandardCharsets.ISO_8859_1);
    } catch (NoSuchFileException e) {
      throw refused(name, file, "no such file", "a PEM file");
    } catch (IOException e) {
      throw refused(name, file, "cannot be read", "a PEM file");
    }
  }

  /** The first certificate in the file, which is the server's; its issuers follow. */
  private static X509Certificate first(Path file, String pem) {
    try {
      if (pem.contains("-----BEGIN CERTIFICATE-----")) {
        var in = new ByteArrayInputStream(pem.getBytes(StandardCharsets.ISO_8859_1));
        var all = CertificateFactory.getInstance("X.509").generateCertificates(in);
        if (!all.isEmpty()) {
          return (X509Certificate) all.iterator().next();
        }
      }
    } catch (CertificateException e) {
      // Reported below.
    }
    throw refused("tls-cert", file, "no certificate", "PEM, the server's own first");
  }

  /** Parses the key with Vert.x, which supports the formats that the server can use. */
  private static PrivateKey key(Tls tls, String certificates, String key, PublicKey publicKey) {
    PemKeyCertOptions options =
        new PemKeyCertOptions()
            .addCertValue(Buffer.buffer(certificates))
            .addKeyValue(Buffer.buffer(key));
    try {
      // The values are in memory, so the Vert.x argument is not used.
      for (KeyManager one : options.getKeyManagerFactory(null).getKeyManagers()) {
        if (one instanceof X509KeyManager manager) {
          String[] names = manager.getServerAliases(publicKey.getAlgorithm(), null);
          if (names != null && names.length > 0) {
            return manager.getPrivateKey(names[0]);
          }
        }
      }
    } catch (Exception e) {
      // Reported below, without the cause: it could contain parts of the key.
    }
    throw refused(
        "tls-key", tls.key(), "no private key that can be used", "that of the certificate, in PEM");
  }

  private static boolean isPair(PrivateKey key, PublicKey publicKey) {
    String algorithm = publicKey.getAlgorithm();
    String scheme =
        switch (algorithm) {
          case "RSA" -> "SHA256withRSA";
          case "EC" -> "SHA256withECDSA";
          default -> algorithm;
        };
    try {
      Signature signature = Signature.getInstance(scheme);
      signature.initSign(key);
      signature.update(SAMPLE); // without data, Ed25519 verifies nothing
      byte[] signed = signature.sign();
      signature.initVerify(publicKey);
      signature.update(SAMPLE);
      return signature.verify(signed);
    } catch (GeneralSecurityException e) {
      return false;
    }
  }

  private static IllegalArgumentException refused(
      String name, Path file, String problem, String expected) {
    return new IllegalArgumentException(
        name + ": " + file + ": " + problem + " (expected: " + expected + ")");
  }
}
