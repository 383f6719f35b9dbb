package dev.weir.cli.options;

import dev.weir.cli.command.Failure;
import dev.weir.cli.command.Flag;
import dev.weir.cli.options.ConfiguredListener.Setting;
import dev.weir.cli.ratelimit.RatelimitEnvironment;
import dev.weir.server.listen.CannotListen;
import dev.weir.server.settings.AdminSettings;
import dev.weir.server.settings.AdminSettings.Tokens;
import dev.weir.server.settings.ListenAddress;
import dev.weir.server.settings.MetricsSettings;
import dev.weir.server.settings.ServerSettings;
import dev.weir.server.settings.TelemetrySettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Options for the listeners of the server: flags come first, then variables of
 * envoyproxy/ratelimit, then defaults.
 */
public final class ListenOptions {
  private static final ServerSettings DEFAULTS = ServerSettings.DEFAULT;
  private static final String EVERY_ADDRESS = "0.0.0.0";
  private static final int MAX_SECONDS = 3_600;

  @Option(
      names = "--host",
      paramLabel = "HOST",
      description =
          "Address to listen on: 127.0.0.1, for this machine only, if not given; 0.0.0.0 for all.")
  private @Nullable String host;

  @Option(
      names = "--port",
      paramLabel = "PORT",
      description = "Port for traffic, 0 for a free one; 8080 if not given.")
  private @Nullable String port;

  @Option(
      names = "--grpc-host",
      paramLabel = "HOST",
      description = "Address to listen on for gRPC; as --host if not given.")
  private @Nullable String grpcHost;

  @Option(
      names = "--grpc-port",
      paramLabel = "PORT",
      description =
          "Port for Envoy's rate limit service, 0 for a free one, -1 for none; 8081 for serve.")
  private @Nullable String grpcPort;

  @Option(
      names = "--admin-host",
      paramLabel = "HOST",
      description = "Address to listen on for administration; 127.0.0.1 if not given.")
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
      description = "Naming scheme of metrics: weir, envoy (envoyproxy/ratelimit) or both; weir.")
  private @Nullable List<String> metrics;

  @Option(
      names = "--expected-servers",
      paramLabel = "N",
      description = "How many servers should share the store, for alerts; none if not given.")
  private @Nullable String expectedServers;

  @Mixin private final AccessOptions access = new AccessOptions();

  @Mixin private final HeaderOptions headers = new HeaderOptions();

  @Mixin private final TlsOptions tls = new TlsOptions();

  @Mixin private final ConnectionOptions connections = new ConnectionOptions();

  @Option(
      names = "--drain-seconds",
      paramLabel = "SECONDS",
      description = "Keep answering this long after readiness turns off; 0.")
  private String drainSeconds = "0";

  @Option(
      names = "--request-seconds",
      paramLabel = "SECONDS",
      description = "Abort requests that take longer to arrive; 10.")
  private String requestSeconds = String.valueOf(DEFAULTS.times().request().toSeconds());

  private List<ConfiguredListener> listeners = List.of();

  /** The candidates of shell completion. */
  static final class MetricNames extends ArrayList<String> {
    private static final long serialVersionUID = 1;

    MetricNames() {
      super(List.of("weir", "envoy"));
    }
  }

  @Option(
      names = "--warm-up-seconds",
      paramLabel = "SECONDS",
      description = "Maximum time to warm up before the server is ready; 0 for none; 5.")
  private String warmUpSeconds = "5";

  /**
   * The settings that flags and variables describe.
   *
   * @param defaultGrpcPort if neither a flag nor a variable names one
   * @throws IllegalArgumentException if a value is invalid
   * @throws Failure if a file cannot be read
   */
  public ServerSettings settings(
      Map<String, String> environment, RatelimitEnvironment ratelimit, int defaultGrpcPort)
      throws Failure {
    Tokens tokens = access.tokens(environment);
    // An environment for envoyproxy/ratelimit has clients on other machines.
    String defaultHost = ratelimit.isPresent() ? EVERY_ADDRESS : DEFAULTS.traffic().host();
    ConfiguredListener traffic =
        ConfiguredListener.of(
            new Setting("--host", host, "HOST", defaultHost),
            new Setting("--port", port, "PORT", String.valueOf(DEFAULTS.traffic().port())),
            ratelimit);
    ConfiguredListener grpc =
        ConfiguredListener.optional(
            grpcHost == null
                ? new Setting("--host", host, "GRPC_HOST", defaultHost)
                : new Setting("--grpc-host", grpcHost, "GRPC_HOST", defaultHost),
            new Setting("--grpc-port", grpcPort, "GRPC_PORT", String.valueOf(defaultGrpcPort)),
            ratelimit);
    ConfiguredListener admin = admin(ratelimit, tokens.operator() != null);
    MetricsSettings metricsSettings = metrics(ratelimit.metrics());
    listeners = listeners(traffic, grpc, admin, metricsSettings.listener());
    ConfiguredListener.checkConflicts(listeners);
    return new ServerSettings(
        new ServerSettings.Traffic(
            traffic.host(), traffic.port(), headers.headers(), headers.jitterPercent()),
        new AdminSettings(
            admin.host(),
            admin.port(),
            tokens,
            access.adminNames(),
            access.auditLog(),
            access.revealCallers()),
        tls.forAll(),
        new ServerSettings.Times(
            Duration.ofSeconds(Flag.integer("--drain-seconds", drainSeconds, 0, MAX_SECONDS)),
            Duration.ofSeconds(Flag.integer("--request-seconds", requestSeconds, 1, MAX_SECONDS)),
            Duration.ofSeconds(Flag.integer("--warm-up-seconds", warmUpSeconds, 0, MAX_SECONDS))),
        new ServerSettings.Grpc(grpc.host(), grpc.port(), tls.forGrpc(ratelimit), ratelimit.rls()),
        metricsSettings,
        connections.limits(),
        TelemetrySettings.OFF);
  }

  private ConfiguredListener admin(RatelimitEnvironment ratelimit, boolean hasToken) {
    Setting hostSetting = new Setting("--admin-host", adminHost, "DEBUG_HOST", "");
    String defaultPort = String.valueOf(DEFAULTS.admin().port());
    Setting portSetting = new Setting("--admin-port", adminPort, "DEBUG_PORT", defaultPort);
    ConfiguredListener listener = ConfiguredListener.of(hostSetting, portSetting, ratelimit);
    if (adminHost == null) {
      ListenAddress safe = new ListenAddress(ratelimit.debugHost(hasToken), listener.port());
      return new ConfiguredListener(listener.hostName(), listener.portName(), safe);
    }
    if (!hasToken && !ServerSettings.isLoopback(adminHost)) {
      throw Flag.invalid("--admin-host", adminHost, "a loopback address, or --admin-token-env");
    }
    return listener;
  }

  private MetricsSettings metrics(MetricsSettings fromEnvironment) {
    OptionalInt servers = expectedServers();
    try {
      MetricsSettings named =
          metrics == null
              ? fromEnvironment
              : MetricsSettings.named(metrics).withListener(fromEnvironment.listener());
      return named.withExpectedServers(servers);
    } catch (IllegalArgumentException e) {
      throw Flag.renamed("--metrics", e);
    }
  }

  private OptionalInt expectedServers() {
    return expectedServers == null
        ? OptionalInt.empty()
        : OptionalInt.of(
            (int)
                Flag.integer(
                    "--expected-servers", expectedServers, 1, MetricsSettings.MAX_SERVERS));
  }

  private static List<ConfiguredListener> listeners(
      ConfiguredListener traffic,
      ConfiguredListener grpc,
      ConfiguredListener admin,
      MetricsSettings.@Nullable Listener prometheus) {
    List<ConfiguredListener> all = new ArrayList<>(List.of(traffic, grpc, admin));
    if (prometheus != null) {
      ListenAddress address = new ListenAddress(prometheus.host(), prometheus.port());
      all.add(new ConfiguredListener("PROMETHEUS_ADDR", "PROMETHEUS_ADDR", address));
    }
    return all;
  }

  /** Explains why a listener failed, by the flag or variable that has to change. */
  public String explain(CannotListen e) {
    return ConfiguredListener.explain(e, listeners);
  }
}
