package dev.weir.server;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * PEM files to serve with. They are read again when they change: certificates are renewed while
 * servers run.
 *
 * @param clients who may connect; null for everybody
 */
public record Tls(Path certificate, Path key, @Nullable Clients clients) {
  /**
   * Those who show a certificate.
   *
   * @param ca whose certificates count
   * @param san the name that must be in them; empty if any will do
   */
  public record Clients(Path ca, String san) {}

  /** For everybody. */
  public Tls(Path certificate, Path key) {
    this(certificate, key, null);
  }

  /**
   * Reads them once, to see that they can be served with.
   *
   * @throws IllegalArgumentException with {@code tls-cert}, {@code tls-key} or {@code
   *     grpc-client-ca}, the file and what was expected
   */
  public void check() {
    TlsFiles.check(this);
  }
}
