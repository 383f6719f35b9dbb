package dev.weir.redis;

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
 * Reads the certificate that a client shows and its private key, from PEM files.
 *
 * <p>A key may be in PKCS#8, PKCS#1 (RSA) or SEC1 (EC), as OpenSSL and its users have them; Netty
 * reads the first form only.
 */
final class ClientKey {
  private static final int MAX_BYTES = 1 << 20;
  private static final Pattern PRIVATE_KEY =
      Pattern.compile(
          "-----BEGIN (|RSA |EC )PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)-----END \\1PRIVATE KEY-----");

  /** What is signed, to see whether a key fits. */
  private static final byte[] SAMPLE = {1};

  private static final String FORMS = "PKCS#8, PKCS#1 or SEC1 in PEM, without a passphrase";

  private ClientKey() {}

  /**
   * The two files as what TLS wants.
   *
   * @throws IllegalArgumentException with {@code cert} or {@code key}, the file and what was
   *     expected; never with anything of the key
   */
  static KeyManagerFactory keyManagers(Path certificate, Path key) {
    List<Certificate> chain = certificates("cert", certificate);
    PublicKey shown = chain.get(0).getPublicKey();
    PrivateKey own = privateKey(key, shown);
    if (!isPair(own, shown)) {
      throw refused("key", key, "the key of another certificate", "that of " + certificate);
    }
    try {
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(null, null);
      store.setKeyEntry("client", own, new char[0], chain.toArray(Certificate[]::new));
      KeyManagerFactory factory =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      factory.init(store, new char[0]);
      return factory;
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException("cannot keep a client certificate in memory", e);
    }
  }

  /** All certificates in a file, of which there is at least one. */
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
      // The message below says what is missing.
    }
    throw refused(name, file, "no certificate", "one or more, in PEM");
  }

  private static PrivateKey privateKey(Path file, PublicKey shown) {
    String text = new String(read("key", file), StandardCharsets.ISO_8859_1);
    Matcher pem = PRIVATE_KEY.matcher(text);
    if (!pem.find()) {
      boolean locked = text.contains("ENCRYPTED");
      throw refused("key", file, locked ? "has a passphrase" : "no private key", FORMS);
    }
    try {
      byte[] der = Base64.getMimeDecoder().decode(pem.group(2));
      byte[] pkcs8 = pem.group(1).isEmpty() ? der : Pkcs8.wrap(der, shown);
      return KeyFactory.getInstance(shown.getAlgorithm())
          .generatePrivate(new PKCS8EncodedKeySpec(pkcs8));
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      String algorithm = shown.getAlgorithm();
      throw refused("key", file, "cannot be read as a key for " + algorithm, FORMS);
    }
  }

  private static boolean isPair(PrivateKey own, PublicKey shown) {
    String scheme =
        switch (shown.getAlgorithm()) {
          case "RSA" -> "SHA256withRSA";
          case "EC" -> "SHA256withECDSA";
          default -> shown.getAlgorithm();
        };
    try {
      Signature signature = Signature.getInstance(scheme);
      signature.initSign(own);
      signature.update(SAMPLE); // without any, Ed25519 verifies nothing
      byte[] signed = signature.sign();
      signature.initVerify(shown);
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
      throw refused(name, file, "cannot be read", "a PEM file");
    }
  }

  private static IllegalArgumentException refused(
      String name, Path file, String problem, String expected) {
    return new IllegalArgumentException(
        name + ": " + file + ": " + problem + " (expected: " + expected + ")");
  }
}
