package dev.weir.cli.options;

import dev.weir.cli.command.Flag;
import dev.weir.cli.ratelimit.RatelimitEnvironment;
import dev.weir.server.tls.Tls;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options for TLS: the server certificate, and client certificates for gRPC. */
final class TlsOptions {
  @Option(
      names = "--tls-cert",
      paramLabel = "PEM",
      description = "Serve TLS with this certificate.")
  private @Nullable Path certificate;

  @Option(names = "--tls-key", paramLabel = "PEM", description = "Private key of the certificate.")
  private @Nullable Path key;

  @Option(
      names = "--grpc-client-ca",
      paramLabel = "PEM",
      description = "Require gRPC clients to present a certificate of this CA.")
  private @Nullable Path clientCa;

  @Option(
      names = "--grpc-client-san",
      paramLabel = "NAME",
      description = "Subject alternative name that their certificate must contain.")
  private @Nullable String clientSan;

  /**
   * TLS for traffic and administration; null for none.
   *
   * @throws IllegalArgumentException if flags are incomplete or files are invalid
   */
  @Nullable Tls forAll() {
    if (certificate != null && key == null) {
      throw Flag.invalid("--tls-cert", certificate + " alone", "--tls-key too");
    }
    if (key != null && certificate == null) {
      throw Flag.invalid("--tls-key", key + " alone", "--tls-cert too");
    }
    if (clientCa != null && certificate == null) {
      throw Flag.invalid("--grpc-client-ca", clientCa + " alone", "--tls-cert too");
    }
    if (clientSan != null && clientCa == null) {
      throw Flag.invalid("--grpc-client-san", clientSan + " alone", "--grpc-client-ca too");
    }
    if (certificate == null || key == null) {
      return null;
    }
    return checked(new Tls(certificate, key), Map.of());
  }

  /**
   * TLS for gRPC: the flags with client certificates, else the variables of envoyproxy/ratelimit;
   * null for none.
   *
   * @throws IllegalArgumentException if flags are incomplete or files are invalid
   */
  @Nullable Tls forGrpc(RatelimitEnvironment ratelimit) {
    Tls tls = forAll();
    if (tls == null) {
      Tls fromEnvironment = ratelimit.grpcTls();
      return fromEnvironment == null
          ? null
          : checked(
              fromEnvironment,
              Map.of(
                  "tls-cert", "GRPC_SERVER_TLS_CERT",
                  "tls-key", "GRPC_SERVER_TLS_KEY",
                  "grpc-client-ca", "GRPC_CLIENT_TLS_CACERT"));
    }
    Tls.Clients clients =
        clientCa == null
            ? ratelimit.grpcClients()
            : new Tls.Clients(clientCa, clientSan == null ? "" : clientSan);
    return checked(
        new Tls(tls.certificate(), tls.key(), clients),
        clientCa == null ? Map.of("grpc-client-ca", "GRPC_CLIENT_TLS_CACERT") : Map.of());
  }

  /**
   * Checks the files.
   *
   * @param names the variable for each field that a variable sets, and not the flag of that name
   * @throws IllegalArgumentException if a file is invalid, by the name of its flag or variable
   */
  private static Tls checked(Tls tls, Map<String, String> names) {
    try {
      tls.check();
      return tls;
    } catch (IllegalArgumentException e) {
      String field = String.valueOf(e.getMessage()).replaceFirst("(?s): .*", "");
      throw Flag.renamed(names.getOrDefault(field, "--" + field), e);
    }
  }
}
