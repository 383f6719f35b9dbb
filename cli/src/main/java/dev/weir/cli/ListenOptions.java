package dev.weir.cli;

import dev.weir.cli.ratelimit.RatelimitEnvironment;
import dev.weir.http.LimitFields;
import dev.weir.server.MetricsSettings;
import dev.weir.server.ServerSettings;
import dev.weir.server.Tls;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where and how to listen: by flags, then by variables of envoyproxy/ratelimit, then as usual. */
final class ListenOptions {
  private static final ServerSettings USUAL = ServerSettings.DEFAULT;

  @Option(names = "--host", description = "Where to listen; every address if not given.")
  private @Nullable String host;

  @Option(names = "--port", description = "Port for traffic, 0 for a free one; 8080 if not given.")
  private @Nullable Integer port;

  @Option(
      names = "--grpc-port",
      description = "Port for Envoy's rate limit service, 0 for a free one, -1 for none; 8081.")
  private @Nullable Integer grpcPort;

  @Option(names = "--admin-host", description = "Where administrators ask; 127.0.0.1 if not given.")
  private @Nullable String adminHost;

  @Option(names = "--admin-port", description = "Port for metrics and administration; 6070.")
  private @Nullable Integer adminPort;

  @Option(
      names = "--metrics",
      split = ",",
      paramLabel = "NAMES",
      description = "Whose names metrics have: weir, envoy (envoyproxy/ratelimit) or both; weir.")
  private @Nullable List<String> metrics;

  @Option(
      names = "--admin-token-env",
      paramLabel = "NAME",
      description = "Environment variable with the token that administrators must show.")
  private @Nullable String adminTokenEnv;

  @Option(
      names = "--headers",
      split = ",",
      description = "Headers to send: X_RATELIMIT, IETF, RETRY_AFTER; all if not given.")
  private List<LimitFields.Family> headers = List.of(LimitFields.Family.values());

  @Option(
      names = "--retry-jitter",
      paramLabel = "PERCENT",
      description = "Make Retry-After up to so much longer, at random; 0.")
  private int jitter;

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

  @Option(
      names = "--drain-seconds",
      description = "Go on answering so long after readiness is off; 0.")
  private int drainSeconds;

  @Option(
      names = "--request-seconds",
      description = "Cut off requests that take longer to arrive; 10.")
  private int requestSeconds = (int) USUAL.times().request().toSeconds();

  /**
   * @throws IllegalArgumentException with what makes no sense
   */
  ServerSettings settings(Map<String, String> environment, RatelimitEnvironment ratelimit) {
    String token = token(environment);
    Tls tls = tls();
    return new ServerSettings(
        new ServerSettings.Traffic(
            host != null ? host : ratelimit.text("HOST").orElse(USUAL.traffic().host()),
            port != null ? port : ratelimit.port("PORT", USUAL.traffic().port()),
            fields(),
            jitter),
        new ServerSettings.Admin(
            adminHost != null ? adminHost : ratelimit.debugHost(token != null),
            adminPort != null ? adminPort : ratelimit.port("DEBUG_PORT", USUAL.admin().port()),
            token),
        tls,
        new ServerSettings.Times(
            Duration.ofSeconds(drainSeconds), Duration.ofSeconds(requestSeconds)),
        new ServerSettings.Grpc(
            host != null ? host : ratelimit.text("GRPC_HOST").orElse(USUAL.grpc().host()),
            grpcPort != null ? grpcPort : ratelimit.port("GRPC_PORT", USUAL.grpc().port()),
            tls != null
                ? withClients(tls, ratelimit)
                : checked(ratelimit.grpcTls(), "GRPC_SERVER_TLS: "),
            ratelimit.rls()),
        metrics == null
            ? ratelimit.metrics()
            : MetricsSettings.named(metrics).withListener(ratelimit.metrics().listener()));
  }

  private LimitFields fields() {
    return new LimitFields(
        headers.isEmpty() ? EnumSet.noneOf(LimitFields.Family.class) : EnumSet.copyOf(headers));
  }

  private @Nullable String token(Map<String, String> environment) {
    String token = adminTokenEnv == null ? null : environment.get(adminTokenEnv);
    if (adminTokenEnv != null && (token == null || token.isEmpty())) {
      String expected = "a variable that is set";
      throw new IllegalArgumentException(
          "--admin-token-env: " + adminTokenEnv + " (expected: " + expected + ")");
    }
    return token;
  }

  private @Nullable Tls tls() {
    if ((certificate == null) != (key == null)) {
      throw new IllegalArgumentException("--tls-cert, --tls-key: one (expected: both or none)");
    }
    if (clientCa != null && certificate == null) {
      throw new IllegalArgumentException("--grpc-client-ca: alone (expected: --tls-cert too)");
    }
    if (clientSan != null && clientCa == null) {
      throw new IllegalArgumentException(
          "--grpc-client-san: alone (expected: --grpc-client-ca too)");
    }
    return certificate == null || key == null ? null : checked(new Tls(certificate, key), "--");
  }

  private Tls withClients(Tls tls, RatelimitEnvironment ratelimit) {
    Tls.Clients clients =
        clientCa == null
            ? ratelimit.grpcClients()
            : new Tls.Clients(clientCa, clientSan == null ? "" : clientSan);
    Tls both = new Tls(tls.certificate(), tls.key(), clients);
    checked(both, "--");
    return both;
  }

  private static @Nullable Tls checked(@Nullable Tls tls, String prefix) {
    if (tls != null) {
      try {
        tls.check();
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(prefix + e.getMessage(), e);
      }
    }
    return tls;
  }
}
