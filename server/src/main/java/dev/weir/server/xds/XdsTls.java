package dev.weir.server.xds;

import dev.weir.server.Tls;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import org.jspecify.annotations.Nullable;

/**
 * How a management server shows who it is, and how we do, in PEM files. They are read for each
 * connection, so that they may be renewed.
 *
 * @param authority who vouches for the server; null for those whom Java trusts
 * @param own our certificate and its key; null if the server does not ask
 * @param name what the server's certificate must be for; null for the host
 */
public record XdsTls(@Nullable Path authority, @Nullable Tls own, @Nullable String name) {

  /**
   * Reads the files once, to say what is wrong with them.
   *
   * @throws IllegalArgumentException with the file and what was expected
   */
  public void check() {
    if (own != null) {
      own.check();
    }
    if (authority == null) {
      return;
    }
    try (InputStream in = Files.newInputStream(authority)) {
      if (!CertificateFactory.getInstance("X.509").generateCertificates(in).isEmpty()) {
        return;
      }
    } catch (IOException | CertificateException e) {
      // Told below.
    }
    throw new IllegalArgumentException(
        "tls-ca: " + authority + ": no certificate (expected: a PEM file)");
  }

  void apply(HttpClientOptions options) {
    options.setSsl(true).setUseAlpn(true).setForceSni(true).setVerifyHost(true);
    if (authority != null) {
      options.setTrustOptions(new PemTrustOptions().addCertPath(authority.toString()));
    }
    if (own != null) {
      options.setKeyCertOptions(
          new PemKeyCertOptions()
              .setCertPath(own.certificate().toString())
              .setKeyPath(own.key().toString()));
    }
  }
}
