package dev.weir.server.tls;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The PEM files of a TLS server. They are read again when they change, because certificates are
 * renewed while servers run.
 *
 * @param certificate the certificate chain, the server's own first
 * @param key the private key, without a passphrase
 * @param clients which client certificates to require; null for none
 */
public record Tls(Path certificate, Path key, @Nullable Clients clients) {
  /**
   * The client certificates that are accepted.
   *
   * @param ca the file with the certificates of the issuing CAs
   * @param san the subject alternative name they must contain; empty for any
   */
  public record Clients(Path ca, String san) {}

  /** TLS without client certificates. */
  public Tls(Path certificate, Path key) {
    this(certificate, key, null);
  }

  /**
   * Reads the files once, to check that they are usable.
   *
   * @throws IllegalArgumentException if one is not; the message names {@code tls-cert}, {@code
   *     tls-key} or {@code grpc-client-ca}, the file and what is expected
   */
  public void check() {
    TlsFiles.check(this);
  }
}
