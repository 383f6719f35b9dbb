package dev.weir.testkit;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Arrays;
import java.util.Base64;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * A self-signed certificate for localhost, made for one test and valid for two days.
 *
 * @param certificate the certificate in PEM
 * @param key the private key in PEM
 * @param trusting a context for clients that trust the certificate
 */
public record TestCertificate(Path certificate, Path key, SSLContext trusting) {
  private static final byte OBJECT_IDENTIFIER = 0x06;
  private static final char[] PASSWORD = "changeit".toCharArray();

  /**
   * Makes a certificate with the JDK's keytool, for a key algorithm such as EC or RSA.
   *
   * @throws IOException if keytool fails or a file cannot be written
   * @throws InterruptedException if the thread is interrupted while keytool runs
   * @throws GeneralSecurityException if this JDK cannot read what keytool made
   */
  public static TestCertificate make(Path directory, String name, String algorithm)
      throws IOException, InterruptedException, GeneralSecurityException {
    Path store = directory.resolve(name + ".p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                name,
                "-keyalg",
                algorithm,
                "-dname",
                "CN=localhost",
                "-ext",
                "san=dns:localhost,ip:127.0.0.1",
                "-validity",
                "2",
                "-storetype",
                "PKCS12",
                "-keystore",
                store.toString(),
                "-storepass",
                new String(PASSWORD))
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve(name + ".log").toFile())
            .start();
    if (!keytool.waitFor(180, TimeUnit.SECONDS)) {
      keytool.destroyForcibly();
      throw new IOException("keytool takes too long");
    }
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, PASSWORD);
    }
    Path certificate = directory.resolve(name + "-cert.pem");
    Path key = directory.resolve(name + "-key.pem");
    Files.writeString(certificate, pem("CERTIFICATE", keys.getCertificate(name).getEncoded()));
    byte[] encoded = Objects.requireNonNull(keys.getKey(name, PASSWORD).getEncoded());
    Files.writeString(key, pem("PRIVATE KEY", encoded));
    return new TestCertificate(certificate, key, trusting(keys, name));
  }

  /**
   * A file with the same key in the traditional form of OpenSSL: PKCS#1 for RSA, SEC1 with its
   * curve for EC.
   *
   * @throws IOException if a file cannot be read or written
   */
  public Path olderKey() throws IOException {
    String text = Files.readString(key).replaceAll("-----[A-Z ]+-----", "");
    byte[] pkcs8 = Base64.getMimeDecoder().decode(text);
    // A sequence of a version, which has three bytes, the algorithm, and the key in octets.
    byte[] algorithm = element(pkcs8, headerLength(pkcs8, 0) + 3);
    byte[] octets = element(pkcs8, headerLength(pkcs8, 0) + 3 + algorithm.length);
    byte[] inner = content(octets);
    byte[] curve = element(content(algorithm), element(content(algorithm), 0).length);
    boolean ec = curve[0] == OBJECT_IDENTIFIER;
    Path older = key.resolveSibling("older-" + key.getFileName());
    Files.writeString(
        older, ec ? pem("EC PRIVATE KEY", sec1(inner, curve)) : pem("RSA PRIVATE KEY", inner));
    return older;
  }

  /** Adds the curve, which the JDK omits because the enclosing PKCS#8 algorithm has it. */
  private static byte[] sec1(byte[] key, byte[] curve) {
    byte[] content = content(key);
    byte[] version = element(content, 0);
    byte[] number = element(content, version.length);
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    all.writeBytes(version);
    all.writeBytes(number);
    all.write(0xA0);
    all.write(curve.length);
    all.writeBytes(curve);
    ByteArrayOutputStream sequence = new ByteArrayOutputStream();
    sequence.write(0x30);
    sequence.write(all.size()); // below 128 for every curve
    sequence.writeBytes(all.toByteArray());
    return sequence.toByteArray();
  }

  /** The DER element at an offset, with its header. */
  private static byte[] element(byte[] der, int at) {
    int header = headerLength(der, at);
    int length = der[at + 1] & 0xFF;
    if (header > 2) {
      length = 0;
      for (int i = at + 2; i < at + header; i++) {
        length = (length << 8) | (der[i] & 0xFF);
      }
    }
    return Arrays.copyOfRange(der, at, at + header + length);
  }

  private static byte[] content(byte[] element) {
    return Arrays.copyOfRange(element, headerLength(element, 0), element.length);
  }

  private static int headerLength(byte[] der, int at) {
    int first = der[at + 1] & 0xFF;
    return first > 0x7F ? 2 + (first & 0x7F) : 2;
  }

  private static SSLContext trusting(KeyStore keys, String name)
      throws IOException, GeneralSecurityException {
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    trusted.setCertificateEntry(name, keys.getCertificate(name));
    TrustManagerFactory managers =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    managers.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, managers.getTrustManagers(), null);
    return context;
  }

  private static String pem(String kind, byte[] bytes) {
    Base64.Encoder lines = Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII));
    return "-----BEGIN %s-----\n%s\n-----END %s-----\n"
        .formatted(kind, lines.encodeToString(bytes), kind);
  }
}
