package dev.weir.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * A certificate for this machine, made for one test and valid for two days.
 *
 * @param certificate in PEM; it vouches for itself
 * @param key in PEM
 * @param trusting what a client needs to believe it
 */
public record TestCertificate(Path certificate, Path key, SSLContext trusting) {
  private static final char[] PASSWORD = "changeit".toCharArray();

  /** Makes one by the JDK's own means, of keys of an algorithm such as EC or RSA. */
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
    if (!keytool.waitFor(60, TimeUnit.SECONDS)) {
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
