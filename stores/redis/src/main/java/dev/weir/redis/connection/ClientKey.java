package dev.weir.redis.connection;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManagerFactory;

/**
 * Reads a client certificate and its private key from PEM files.
 *
 * <p>A key may be in PKCS#8, PKCS#1 (RSA) or SEC1 (EC), the formats that OpenSSL writes; Netty
 * reads only the first.
 */
final class ClientKey {
  private static final int MAX_BYTES = 1 << 20;
  private static final Pattern PRIVATE_KEY =
      Pattern.compile(
          "-----BEGIN (|RSA |EC )PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)-----END \\1PRIVATE KEY-----");

  /** Signed to check that a private key belongs to a certificate. */
  private static final byte[] SAMPLE = {1};

  private static final String KEY_FORMATS = "PKCS#8, PKCS#1 or SEC1 in PEM, without a passphrase";

  private ClientKey() {}

  /**
   * The key managers for TLS, from the two files.
   *
   * @throws IllegalArgumentException with {@code cert} or {@code key}, the file and what was
   *     expected; the message never contains any part of the key
   */
  static KeyManagerFactory keyManagers(Path certificate, Path key) {
    List<Certificate> chain = certificates("cert", certificate);
    PublicKey publicKey = chain.get(0).getPublicKey();
    PrivateKey privateKey = privateKey(key, publicKey);
    if (!isPair(privateKey, publicKey)) {
      throw invalid("key", key, "the key of another certificate", "that of " + certificate);
    }
    try {
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(null, null);
      store.setKeyEntry("client", privateKey, new char[0], chain.toArray(Certificate[]::new));
      KeyManagerFactory factory =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      factory.init(store, new char[0]);
      return factory;
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException("cannot keep a client certificate in memory", e);
    }
  }

  /**
   * All certificates in a file.
   *
   * @throws IllegalArgumentException if there is none, or the file cannot be read
   */
  static List<Certificate> certificates(String name, Path file) {
    byte[] bytes = read(name, file);
    try {
      Collection<? extends Certificate> found =
          CertificateFactory.getInstance("X.509")
              .generateCertificates(new ByteArrayInputStream(bytes));
      if (!found.isEmpty()) {
        return List.copyOf(found);
      }
    } catch (CertificateException e) {
      // The exception below says what is missing.
    }
    throw invalid(name, file, "no certificate", "one or more, in PEM");
  }

  private static PrivateKey privateKey(Path file, PublicKey publicKey) {
    String text = new String(read("key", file), StandardCharsets.ISO_8859_1);
    Matcher pem = PRIVATE_KEY.matcher(text);
    if (!pem.find()) {
      boolean encrypted = text.contains("ENCRYPTED");
      throw invalid("key", file, encrypted ? "has a passphrase" : "no private key", KEY_FORMATS);
    }
    try {
      byte[] der = Base64.getMimeDecoder().decode(pem.group(2));
      byte[] pkcs8 = pem.group(1).isEmpty() ? der : Pkcs8.wrap(der, publicKey);
      return KeyFactory.getInstance(publicKey.getAlgorithm())
          .generatePrivate(new PKCS8EncodedKeySpec(pkcs8));
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      String algorithm = publicKey.getAlgorithm();
      throw invalid("key", file, "cannot be read as a key for " + algorithm, KEY_FORMATS);
    }
  }

  private static boolean isPair(PrivateKey privateKey, PublicKey publicKey) {
    String scheme =
        switch (publicKey.getAlgorithm()) {
          case "RSA" -> "SHA256withRSA";
          case "EC" -> "SHA256withECDSA";
          default -> publicKey.getAlgorithm();
        };
    try {
      Signature signature = Signature.getInstance(scheme);
      signature.initSign(privateKey);
      signature.update(SAMPLE); // without data, Ed25519 verifies nothing
      byte[] signed = signature.sign();
      signature.initVerify(publicKey);
      signature.update(SAMPLE);
      return signature.verify(signed);
    } catch (GeneralSecurityException e) {
      return false;
    }
  }

  private static byte[] read(String name, Path file) {
    try (InputStream in = Files.newInputStream(file)) {
      return in.readNBytes(MAX_BYTES);
    } catch (IOException e) {
      throw invalid(name, file, "cannot be read", "a PEM file");
    }
  }

  private static IllegalArgumentException invalid(
      String name, Path file, String problem, String expected) {
    return new IllegalArgumentException(
        name + ": " + file + ": " + problem + " (expected: " + expected + ")");
  }
}
