package dev.weir.testkit;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.HexFormat;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * A certificate authority of one test. It writes certificates byte by byte, since the JDK has no
 * public class for that and starts a process for each. Not thread-safe.
 */
public final class TestAuthority {
  private static final int SEQUENCE = 0x30;
  private static final int SET = 0x31;
  private static final int INTEGER = 2;
  private static final int BITS = 3;
  private static final int OCTETS = 4;
  private static final int TEXT = 0x0C;
  private static final int TIME = 0x17;
  private static final int DNS_NAME = 0x82;
  private static final int IP_ADDRESS = 0x87;
  private static final byte[] ECDSA_SHA256 = hex("06082A8648CE3D040302");
  private static final byte[] COMMON_NAME = hex("0603550403");
  private static final byte[] ALTERNATIVE_NAME = hex("0603551D11");
  private static final byte[] CONSTRAINTS_OF_AN_AUTHORITY =
      hex("300F0603551D130101FF040530030101FF");
  private static final byte[] VERSION_3 = hex("A003020102");
  private static final char[] PASSWORD = "changeit".toCharArray();
  private static final Duration DAY = Duration.ofDays(1);

  private static final DateTimeFormatter FORMAT =
      DateTimeFormatter.ofPattern("yyMMddHHmmss'Z'").withZone(ZoneOffset.UTC);

  private final Path directory;
  private final String name;
  private final KeyPair keys = newKeys();
  private final X509Certificate own;
  private final Path certificate;
  private int issued;

  /**
   * A certificate and its key.
   *
   * @param certificate in PEM
   * @param key in PEM
   * @param context presents the certificate, and trusts the authority
   */
  public record Issued(Path certificate, Path key, SSLContext context) {}

  /**
   * Begins an authority, which keeps its files in a directory.
   *
   * @throws IOException if a file cannot be written
   * @throws GeneralSecurityException if this JDK lacks an algorithm
   */
  public TestAuthority(Path directory, String name) throws IOException, GeneralSecurityException {
    this.directory = directory;
    this.name = name;
    Instant now = Instant.now();
    this.own =
        sign(name, keys.getPublic(), now.minus(DAY), now.plus(DAY), CONSTRAINTS_OF_AN_AUTHORITY);
    this.certificate = write(name + ".pem", "CERTIFICATE", own.getEncoded());
  }

  /** The certificate of the authority, in PEM. */
  public Path certificate() {
    return certificate;
  }

  /**
   * Issues a certificate that is valid today.
   *
   * @param host a name, or an IPv4 address
   * @throws IOException if a file cannot be written
   * @throws GeneralSecurityException if this JDK lacks an algorithm
   */
  public Issued issue(String host) throws IOException, GeneralSecurityException {
    return issue(host, Instant.now().plus(DAY));
  }

  /**
   * Issues a certificate that is valid until a time.
   *
   * @param host a name, or an IPv4 address
   * @throws IOException if a file cannot be written
   * @throws GeneralSecurityException if this JDK lacks an algorithm
   */
  public Issued issue(String host, Instant until) throws IOException, GeneralSecurityException {
    KeyPair pair = newKeys();
    byte[] names = der(SEQUENCE, ALTERNATIVE_NAME, der(OCTETS, der(SEQUENCE, alternative(host))));
    X509Certificate made =
        sign(host, pair.getPublic(), until.minus(DAY.multipliedBy(2)), until, names);
    String file = name + "-" + issued++;
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    store.setCertificateEntry("authority", own);
    X509Certificate[] chain = {made, own};
    store.setKeyEntry("own", pair.getPrivate(), PASSWORD, chain);
    return new Issued(
        write(file + "-cert.pem", "CERTIFICATE", made.getEncoded()),
        write(file + "-key.pem", "PRIVATE KEY", pair.getPrivate().getEncoded()),
        context(store));
  }

  private static SSLContext context(KeyStore store) throws GeneralSecurityException {
    KeyManagerFactory own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    own.init(store, PASSWORD);
    TrustManagerFactory trusted =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trusted.init(store);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(own.getKeyManagers(), trusted.getTrustManagers(), null);
    return context;
  }

  /** A certificate by RFC 5280, 4.1, with one extension. */
  private X509Certificate sign(
      String subject, PublicKey key, Instant from, Instant until, byte[] extension)
      throws GeneralSecurityException {
    byte[] algorithm = der(SEQUENCE, ECDSA_SHA256);
    byte[] serial = der(INTEGER, new byte[] {1, (byte) (issued & 0x7F)});
    byte[] content =
        der(
            SEQUENCE,
            VERSION_3,
            serial,
            algorithm,
            distinguished(name),
            der(SEQUENCE, time(from), time(until)),
            distinguished(subject),
            key.getEncoded(),
            der(0xA3, der(SEQUENCE, extension)));
    Signature signature = Signature.getInstance("SHA256withECDSA");
    signature.initSign(keys.getPrivate());
    signature.update(content);
    byte[] signed = der(SEQUENCE, content, algorithm, der(BITS, new byte[1], signature.sign()));
    return (X509Certificate)
        CertificateFactory.getInstance("X.509")
            .generateCertificate(new ByteArrayInputStream(signed));
  }

  private static byte[] distinguished(String text) {
    byte[] pair = der(SEQUENCE, COMMON_NAME, der(TEXT, text.getBytes(UTF_8)));
    return der(SEQUENCE, der(SET, pair));
  }

  private static byte[] alternative(String host) throws IOException {
    return host.matches("[0-9.]+")
        ? der(IP_ADDRESS, InetAddress.getByName(host).getAddress())
        : der(DNS_NAME, host.getBytes(US_ASCII));
  }

  private static byte[] time(Instant time) {
    return der(TIME, FORMAT.format(time).getBytes(US_ASCII));
  }

  private static byte[] der(int kind, byte[]... contents) {
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    for (byte[] part : contents) {
      content.writeBytes(part);
    }
    int length = content.size();
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    all.write(kind);
    if (length > 0xFF) {
      all.write(0x82);
      all.write(length >> 8);
    } else if (length > 0x7F) {
      all.write(0x81);
    }
    all.write(length & 0xFF);
    all.writeBytes(content.toByteArray());
    return all.toByteArray();
  }

  private static KeyPair newKeys() throws GeneralSecurityException {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
    generator.initialize(256);
    return generator.generateKeyPair();
  }

  private Path write(String file, String kind, byte[] bytes) throws IOException {
    Base64.Encoder lines = Base64.getMimeEncoder(64, new byte[] {'\n'});
    return Files.writeString(
        directory.resolve(file),
        "-----BEGIN %s-----\n%s\n-----END %s-----\n"
            .formatted(kind, lines.encodeToString(bytes), kind));
  }

  private static byte[] hex(String digits) {
    return HexFormat.of().parseHex(digits);
  }
}
