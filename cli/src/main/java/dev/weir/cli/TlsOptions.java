package dev.weir.cli;

import dev.weir.cli.ratelimit.RatelimitEnvironment;
import dev.weir.server.Tls;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What the server shows, and who may use gRPC. */
final class TlsOptions {
  @Option(
      names = "--tls-cert",
      paramLabel = "PEM",
      description = "Serve TLS with this certificate.")
  private @Nullable Path certificate;

  @Option(names = "--tls-key", paramLabel = "PEM", description = "The key of the certificate.")
  private @Nullable Path key;

  @Option(
      names = "--grpc-client-ca",
      paramLabel = "PEM",
      description = "Let only clients use gRPC that show a certificate of this CA.")
  private @Nullable Path clientCa;

  @Option(
      names = "--grpc-client-san",
      paramLabel = "NAME",
      description = "The alternative name that must be in their certificate.")
  private @Nullable String clientSan;

  /**
   * For traffic and administration; null for none.
   *
   * @throws IllegalArgumentException with what makes no sense
   */
  @Nullable Tls forAll() {
    if (certificate != null && key == null) {
      throw Flag.refused("--tls-cert", certificate + " alone", "--tls-key too");
    }
    if (key != null && certificate == null) {
      throw Flag.refused("--tls-key", key + " alone", "--tls-cert too");
    }
    if (clientCa != null && certificate == null) {
      throw Flag.refused("--grpc-client-ca", clientCa + " alone", "--tls-cert too");
    }
    if (clientSan != null && clientCa == null) {
      throw Flag.refused("--grpc-client-san", clientSan + " alone", "--grpc-client-ca too");
    }
    if (certificate == null || key == null) {
      return null;
    }
    return checked(new Tls(certificate, key), Map.of());
  }

  /** For gRPC: the same with its clients, else by variables of envoyproxy/ratelimit. */
  @Nullable Tls forGrpc(RatelimitEnvironment ratelimit) {
    Tls tls = forAll();
    if (tls == null) {
      Tls theirs = ratelimit.grpcTls();
      return theirs == null
          ? null
          : checked(
              theirs,
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
   * @param names of the variables that say what else flags of the same names would
   */
  private static Tls checked(Tls tls, Map<String, String> names) {
    try {
      tls.check();
      return tls;
    } catch (IllegalArgumentException e) {
      String field = String.valueOf(e.getMessage()).replaceFirst("(?s): .*", "");
      throw Flag.named(names.getOrDefault(field, "--" + field), e);
    }
  }
}
