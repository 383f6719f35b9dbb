package dev.weir.server.xds;

import dev.weir.server.tls.Tls;
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
 * The PEM files for TLS with a management server. They are read for each connection, so that they
 * may be renewed.
 *
 * @param authority the CA certificates to trust; null for those that Java trusts
 * @param own the client certificate and its key; null for none
 * @param name the host name that the server's certificate must match; null for the configured host
 */
public record XdsTls(@Nullable Path authority, @Nullable Tls own, @Nullable String name) {

  /**
   * Reads the files once, to check that they are usable.
   *
   * @throws IllegalArgumentException if one is not; the message names it and what is expected
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
      // Reported below.
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
