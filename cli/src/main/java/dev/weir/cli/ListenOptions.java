package dev.weir.cli;

import dev.weir.cli.Listening.Setting;
import dev.weir.cli.ratelimit.RatelimitEnvironment;
import dev.weir.server.CannotListen;
import dev.weir.server.ListenAddress;
import dev.weir.server.MetricsSettings;
import dev.weir.server.ServerSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Where and how to listen: by flags, then by variables of envoyproxy/ratelimit, then as usual. */
final class ListenOptions {
  private static final ServerSettings USUAL = ServerSettings.DEFAULT;
  private static final String EVERY_ADDRESS = "0.0.0.0";
  private static final int MAX_SECONDS = 3_600;

  @Option(
      names = "--host",
      paramLabel = "HOST",
      description =
          "Where to listen: 127.0.0.1, for this machine only, if not given; 0.0.0.0 for others too.")
  private @Nullable String host;

  @Option(
      names = "--port",
      paramLabel = "PORT",
      description = "Port for traffic, 0 for a free one; 8080 if not given.")
  private @Nullable String port;

  @Option(
      names = "--grpc-host",
      paramLabel = "HOST",
      description = "Where to listen for gRPC; as --host if not given.")
  private @Nullable String grpcHost;

  @Option(
      names = "--grpc-port",
      paramLabel = "PORT",
      description = "Port for Envoy's rate limit service, 0 for a free one, -1 for none; 8081.")
  private @Nullable String grpcPort;

  @Option(
      names = "--admin-host",
      paramLabel = "HOST",
      description = "Where administrators ask; 127.0.0.1 if not given.")
  private @Nullable String adminHost;

  @Option(
      names = "--admin-port",
      paramLabel = "PORT",
      description = "Port for metrics and administration; 6070.")
  private @Nullable String adminPort;

  @Option(
      names = "--metrics",
      split = ",",
      paramLabel = "NAMES",
      completionCandidates = MetricNames.class,
      description = "Whose names metrics have: weir, envoy (envoyproxy/ratelimit) or both; weir.")
  private @Nullable List<String> metrics;

  @Mixin private final AccessOptions access = new AccessOptions();

  @Mixin private final HeaderOptions headers = new HeaderOptions();

  @Mixin private final TlsOptions tls = new TlsOptions();

  @Mixin private final ConnectionOptions connections = new ConnectionOptions();

  @Option(
      names = "--drain-seconds",
      paramLabel = "SECONDS",
      description = "Go on answering so long after readiness is off; 0.")
  private String drainSeconds = "0";

  @Option(
      names = "--request-seconds",
      paramLabel = "SECONDS",
      description = "Cut off requests that take longer to arrive; 10.")
  private String requestSeconds = String.valueOf(USUAL.times().request().toSeconds());

  private List<Listening> listening = List.of();

  /** What completion offers. */
  static final class MetricNames extends ArrayList<String> {
    private static final long serialVersionUID = 1;

    MetricNames() {
      super(List.of("weir", "envoy"));
    }
  }

  @Option(
      names = "--warm-up-seconds",
      paramLabel = "SECONDS",
      description = "Take at most so long to warm up before it is ready; 0 for not at all; 5.")
  private String warmUpSeconds = "5";

  /**
   * @throws IllegalArgumentException with what makes no sense
   * @throws Failure if a file cannot be read
   */
  ServerSettings settings(Map<String, String> environment, RatelimitEnvironment ratelimit)
      throws Failure {
    String token = access.adminToken(environment);
    // Who comes from envoyproxy/ratelimit has clients on other machines.
    String usualHost = ratelimit.isPresent() ? EVERY_ADDRESS : USUAL.traffic().host();
    Listening traffic =
        Listening.at(
            new Setting("--host", host, "HOST", usualHost),
            new Setting("--port", port, "PORT", String.valueOf(USUAL.traffic().port())),
            ratelimit);
    Listening grpc =
        Listening.atOrNone(
            grpcHost == null
                ? new Setting("--host", host, "GRPC_HOST", usualHost)
                : new Setting("--grpc-host", grpcHost, "GRPC_HOST", usualHost),
            new Setting("--grpc-port", grpcPort, "GRPC_PORT", String.valueOf(USUAL.grpc().port())),
            ratelimit);
    Listening admin = admin(ratelimit, token != null);
    MetricsSettings named = metrics(ratelimit.metrics());
    listening = listening(traffic, grpc, admin, named.listener());
    Listening.checkConflicts(listening);
    return new ServerSettings(
        new ServerSettings.Traffic(
            traffic.host(), traffic.port(), headers.fields(), headers.jitter()),
        new ServerSettings.Admin(
            admin.host(),
            admin.port(),
            token,
            access.adminNames(),
            access.operationsToken(environment)),
        tls.forAll(),
        new ServerSettings.Times(
            Duration.ofSeconds(Flag.whole("--drain-seconds", drainSeconds, 0, MAX_SECONDS)),
            Duration.ofSeconds(Flag.whole("--request-seconds", requestSeconds, 1, MAX_SECONDS)),
            Duration.ofSeconds(Flag.whole("--warm-up-seconds", warmUpSeconds, 0, MAX_SECONDS))),
        new ServerSettings.Grpc(grpc.host(), grpc.port(), tls.forGrpc(ratelimit), ratelimit.rls()),
        named,
        connections.limits());
  }

  private Listening admin(RatelimitEnvironment ratelimit, boolean hasToken) {
    Setting at = new Setting("--admin-host", adminHost, "DEBUG_HOST", "");
    String usual = String.valueOf(USUAL.admin().port());
    Setting on = new Setting("--admin-port", adminPort, "DEBUG_PORT", usual);
    Listening asked = Listening.at(at, on, ratelimit);
    if (adminHost == null) {
      ListenAddress safe = new ListenAddress(ratelimit.debugHost(hasToken), asked.port());
      return new Listening(asked.hostName(), asked.portName(), safe);
    }
    if (!hasToken && !ServerSettings.isLoopback(adminHost)) {
      throw Flag.refused("--admin-host", adminHost, "a loopback address, or --admin-token-env");
    }
    return asked;
  }

  private MetricsSettings metrics(MetricsSettings theirs) {
    try {
      return metrics == null
          ? theirs
          : MetricsSettings.named(metrics).withListener(theirs.listener());
    } catch (IllegalArgumentException e) {
      throw Flag.named("--metrics", e);
    }
  }

  private static List<Listening> listening(
      Listening traffic,
      Listening grpc,
      Listening admin,
      MetricsSettings.@Nullable Listener alone) {
    List<Listening> all = new ArrayList<>(List.of(traffic, grpc, admin));
    if (alone != null) {
      ListenAddress address = new ListenAddress(alone.host(), alone.port());
      all.add(new Listening("PROMETHEUS_ADDR", "PROMETHEUS_ADDR", address));
    }
    return all;
  }

  /** Why it cannot listen, by the flag or variable that would have to change. */
  String why(CannotListen e) {
    return Listening.why(e, listening);
  }
}
