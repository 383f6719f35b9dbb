package dev.weir.server.tls;

import io.vertx.core.net.TrustOptions;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Trusts clients whose certificate is issued by a configured CA and, if configured, contains a
 * subject alternative name. Immutable and thread-safe.
 */
public final class ClientTrust extends X509ExtendedTrustManager {
  private final X509ExtendedTrustManager byCa;
  private final String san;

  private ClientTrust(X509ExtendedTrustManager byCa, String san) {
    this.byCa = byCa;
    this.san = san;
  }

  /**
   * Reads the CA certificates.
   *
   * @throws IllegalArgumentException if the file has none; the message names it
   */
  public static ClientTrust of(Tls.Clients clients) {
    try {
      KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
      store.load(null, null);
      for (Certificate one : certificates(clients.ca())) {
        store.setCertificateEntry("ca" + store.size(), one);
      }
      TrustManagerFactory factory =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      factory.init(store);
      for (TrustManager one : factory.getTrustManagers()) {
        if (store.size() > 0 && one instanceof X509ExtendedTrustManager manager) {
          return new ClientTrust(manager, clients.san());
        }
      }
    } catch (GeneralSecurityException | IOException e) {
      // Reported below.
    }
    String expected = "a PEM file with certificates";
    throw new IllegalArgumentException(
        "grpc-client-ca: " + clients.ca() + ": no certificate (expected: " + expected + ")");
  }

  private static Collection<? extends Certificate> certificates(Path file)
      throws CertificateException, IOException {
    try (var in = Files.newInputStream(file)) {
      return CertificateFactory.getInstance("X.509").generateCertificates(in);
    }
  }

  /** This trust manager in the form that Vert.x takes. */
  public TrustOptions options() {
    return TrustOptions.wrap(this);
  }

  private void checkName(X509Certificate[] chain) throws CertificateException {
    if (san.isEmpty()) {
      return;
    }
    Collection<List<?>> names = chain[0].getSubjectAlternativeNames();
    // A name is a pair of its type and its value.
    if (names == null || names.stream().noneMatch(name -> san.equals(name.get(1)))) {
      throw new CertificateException("the certificate lacks the required subject alternative name");
    }
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket)
      throws CertificateException {
    byCa.checkClientTrusted(chain, type, socket);
    checkName(chain);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
      throws CertificateException {
    byCa.checkClientTrusted(chain, type, engine);
    checkName(chain);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
    byCa.checkClientTrusted(chain, type);
    checkName(chain);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
      throws CertificateException {
    throw new CertificateException("clients only");
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
      throws CertificateException {
    throw new CertificateException("clients only");
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
    throw new CertificateException("clients only");
  }

  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return byCa.getAcceptedIssuers();
  }
}
