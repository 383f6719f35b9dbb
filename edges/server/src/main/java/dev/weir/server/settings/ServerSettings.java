package dev.weir.server.settings;

import dev.weir.http.response.RateLimitHeaders;
import dev.weir.server.rls.RlsSettings;
import dev.weir.server.settings.AdminSettings.Tokens;
import dev.weir.server.tls.Tls;
import dev.weir.server.transport.ConnectionLimits;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a server. A port is 0 for any free port.
 *
 * @param traffic the traffic port
 * @param admin the administration port
 * @param tls TLS of traffic and administration; null for none
 * @param times time limits
 * @param grpc the port of Envoy's rate limit service
 * @param metrics the names of metrics, and where they are exposed beside the administration port
 * @param connections the limits of the traffic port and of the gRPC port, each; null for as many
 *     connections as the process may open files for
 * @param telemetry the logs of requests, and where metrics and spans are sent
 */
public record ServerSettings(
    Traffic traffic,
    AdminSettings admin,
    @Nullable Tls tls,
    Times times,
    Grpc grpc,
    MetricsSettings metrics,
    @Nullable ConnectionLimits connections,
    TelemetrySettings telemetry) {

  private static final String LOOPBACK = "127.0.0.1";

  /** The port number of a listener that is off. */
  public static final int OFF = -1;

  /** For this machine only: traffic on 8080, gRPC on 8081, administration on 6070. */
  public static final ServerSettings DEFAULT =
      new ServerSettings(
          new Traffic(LOOPBACK, 8080, RateLimitHeaders.all(), 0),
          new AdminSettings(LOOPBACK, 6070, Tokens.NONE, Set.of(), null, false),
          null,
          new Times(Duration.ZERO, Duration.ofSeconds(10), Duration.ZERO),
          new Grpc(LOOPBACK, 8081, null, RlsSettings.DEFAULT),
          MetricsSettings.DEFAULT,
          null,
          TelemetrySettings.OFF);

  /**
   * The traffic port.
   *
   * @param host the address to listen on
   * @param port 0 for any free port
   * @param fields the rate limit headers of responses
   * @param jitter the maximum random increase of {@code Retry-After}, in percent
   */
  public record Traffic(String host, int port, RateLimitHeaders fields, int jitter) {
    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if one is out of range
     */
    public Traffic {
      checkPort("port", port, 0);
      if (jitter < 0 || jitter > 100) {
        throw new IllegalArgumentException("jitter: " + jitter + " (expected: between 0 and 100)");
      }
    }
  }

  /**
   * Time limits.
   *
   * @param drain how long to serve after readiness is off, so that load balancers notice
   * @param request the maximum time from the first byte of a request to the last
   * @param warmUp the maximum time of the warm-up before the server is ready; zero for none
   */
  public record Times(Duration drain, Duration request, Duration warmUp) {
    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if one is out of range
     */
    public Times {
      checkTime("drain time", drain, Duration.ZERO, 0);
      checkTime("request time", request, Duration.ofMillis(100), 1);
      checkTime("warm-up time", warmUp, Duration.ZERO, 0);
    }
  }

  /**
   * The gRPC port.
   *
   * @param host the address to listen on
   * @param port {@link #OFF} for none, 0 for any free port
   * @param tls null for none
   * @param rls the settings of Envoy's rate limit service
   */
  public record Grpc(String host, int port, @Nullable Tls tls, RlsSettings rls) {
    /**
     * Checks the port.
     *
     * @throws IllegalArgumentException if it is out of range
     */
    public Grpc {
      checkPort("gRPC port", port, OFF);
    }
  }

  static void checkPort(String name, int port, int min) {
    if (port < min || port > 65_535) {
      String expected = "between 0 and 65535" + (min == OFF ? ", or -1 for none" : "");
      throw new IllegalArgumentException(name + ": " + port + " (expected: " + expected + ")");
    }
  }

  private static void checkTime(String name, Duration time, Duration min, int minSeconds) {
    if (time.compareTo(min) < 0 || time.compareTo(Duration.ofHours(1)) > 0) {
      String expected = "between " + minSeconds + " and 3600";
      throw new IllegalArgumentException(
          name + ": " + time.toSeconds() + " s (expected: " + expected + ")");
    }
  }

  /** The addresses to listen on, by the name of the setting. */
  private Map<String, ListenAddress> addresses() {
    Map<String, ListenAddress> all = new LinkedHashMap<>();
    all.put("port", new ListenAddress(traffic.host, traffic.port));
    all.put("gRPC port", new ListenAddress(grpc.host, grpc.port));
    all.put("admin port", new ListenAddress(admin.host(), admin.port()));
    MetricsSettings.Listener metricsPort = metrics.listener();
    if (metricsPort != null) {
      all.put("metrics port", new ListenAddress(metricsPort.host(), metricsPort.port()));
    }
    return all;
  }

  /**
   * Checks that no two listeners share an address.
   *
   * @throws IllegalArgumentException if two do
   */
  public void checkConflicts() {
    List<Map.Entry<String, ListenAddress>> all = List.copyOf(addresses().entrySet());
    for (int i = 0; i < all.size(); i++) {
      for (int j = 0; j < i; j++) {
        if (all.get(i).getValue().conflictsWith(all.get(j).getValue())) {
          String both = all.get(j).getKey() + ", " + all.get(i).getKey();
          int port = all.get(i).getValue().port();
          throw new IllegalArgumentException(both + ": both " + port + " (expected: two ports)");
        }
      }
    }
  }

  /** Whether only this machine can reach a host. */
  public static boolean isLoopback(String host) {
    // A name may begin with 127 and resolve to any address.
    return host.matches("127(\\.[0-9]{1,3}){3}") || host.equals("::1") || host.equals("localhost");
  }

  /** These settings with other ports. */
  public ServerSettings withPorts(int trafficPort, int grpcPort, int adminPort) {
    return new ServerSettings(
        new Traffic(traffic.host, trafficPort, traffic.fields, traffic.jitter),
        admin.withPort(adminPort),
        tls,
        times,
        new Grpc(grpc.host, grpcPort, grpc.tls, grpc.rls),
        metrics,
        connections,
        telemetry);
  }

  /** These settings with another address and token for administration, and no viewers. */
  public ServerSettings withAdmin(String host, @Nullable String token) {
    return with(admin.withHost(host, new Tokens(token, null, admin.tokens().operations())));
  }

  /** These settings with another token for viewers. */
  public ServerSettings withViewerToken(@Nullable String token) {
    Tokens old = admin.tokens();
    Tokens tokens = new Tokens(old.operator(), token, old.operations());
    return with(admin.withHost(admin.host(), tokens));
  }

  /** These settings with another operations token. */
  public ServerSettings withOperationsToken(@Nullable String token) {
    Tokens old = admin.tokens();
    Tokens tokens = new Tokens(old.operator(), old.viewer(), token);
    return with(admin.withHost(admin.host(), tokens));
  }

  /** These settings with other host names for administration. */
  public ServerSettings withAdminNames(Set<String> names) {
    return with(admin.withNames(names));
  }

  /** These settings with another file for the audit log; null for the service's log. */
  public ServerSettings withAuditLog(@Nullable Path file) {
    return with(admin.withAuditLog(file));
  }

  /** These settings with callers that operators can reveal. */
  public ServerSettings withRevealCallers() {
    return with(admin.withRevealCallers());
  }

  private ServerSettings with(AdminSettings other) {
    return new ServerSettings(traffic, other, tls, times, grpc, metrics, connections, telemetry);
  }

  /** These settings with TLS on all ports. */
  public ServerSettings withTls(Tls files) {
    Grpc other = new Grpc(grpc.host, grpc.port, files, grpc.rls);
    return new ServerSettings(traffic, admin, files, times, other, metrics, connections, telemetry);
  }

  /** These settings with other time limits. */
  private ServerSettings withTimes(Times other) {
    return new ServerSettings(traffic, admin, tls, other, grpc, metrics, connections, telemetry);
  }

  /** These settings with another drain time. */
  public ServerSettings withDrain(Duration drain) {
    return withTimes(new Times(drain, times.request, times.warmUp));
  }

  /** These settings with another maximum time for requests to arrive. */
  public ServerSettings withRequestTime(Duration request) {
    return withTimes(new Times(times.drain, request, times.warmUp));
  }

  /** These settings with another maximum time of the warm-up. */
  public ServerSettings withWarmUp(Duration limit) {
    return withTimes(new Times(times.drain, times.request, limit));
  }

  /** These settings with others of Envoy's rate limit service. */
  public ServerSettings withRls(RlsSettings answers) {
    Grpc other = new Grpc(grpc.host, grpc.port, grpc.tls, answers);
    return new ServerSettings(traffic, admin, tls, times, other, metrics, connections, telemetry);
  }

  /** These settings with other connection limits. */
  public ServerSettings withConnections(ConnectionLimits limits) {
    return new ServerSettings(traffic, admin, tls, times, grpc, metrics, limits, telemetry);
  }

  /** These settings with other telemetry. */
  public ServerSettings withTelemetry(TelemetrySettings other) {
    return new ServerSettings(traffic, admin, tls, times, grpc, metrics, connections, other);
  }

  /** These settings with other metrics. */
  public ServerSettings withMetrics(MetricsSettings other) {
    return new ServerSettings(traffic, admin, tls, times, grpc, other, connections, telemetry);
  }
}
