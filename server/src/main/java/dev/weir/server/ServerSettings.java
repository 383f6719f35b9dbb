package dev.weir.server;

import dev.weir.http.LimitFields;
import dev.weir.server.access.AllowedHosts;
import dev.weir.server.access.BearerToken;
import dev.weir.server.rls.RlsSettings;
import dev.weir.server.transport.ConnectionLimits;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Where and how to listen. A port is 0 for any that is free.
 *
 * @param tls for traffic and administration; null for none
 * @param grpc for Envoy's rate limit service
 * @param metrics under which names, and where else than for administrators
 * @param connections how many the port for traffic and the one for gRPC each keep; null for as many
 *     as the process may open files for
 */
public record ServerSettings(
    Traffic traffic,
    Admin admin,
    @Nullable Tls tls,
    Times times,
    Grpc grpc,
    MetricsSettings metrics,
    @Nullable ConnectionLimits connections) {

  private static final String LOOPBACK = "127.0.0.1";

  /** The port of what does not listen. */
  public static final int OFF = -1;

  /** For this machine only: traffic on 8080, gRPC on 8081, administration on 6070. */
  public static final ServerSettings DEFAULT =
      new ServerSettings(
          new Traffic(LOOPBACK, 8080, LimitFields.all(), 0),
          new Admin(LOOPBACK, 6070, null, Set.of(), null),
          null,
          new Times(Duration.ZERO, Duration.ofSeconds(10), Duration.ZERO),
          new Grpc(LOOPBACK, 8081, null, RlsSettings.DEFAULT),
          MetricsSettings.DEFAULT,
          null);

  /**
   * The port for requests.
   *
   * @param fields by which answers tell of limits
   * @param jitter share of the wait, in percent, that {@code Retry-After} may be longer by
   */
  public record Traffic(String host, int port, LimitFields fields, int jitter) {
    public Traffic {
      checkPort("port", port, 0);
      if (jitter < 0 || jitter > 100) {
        throw new IllegalArgumentException("jitter: " + jitter + " (expected: between 0 and 100)");
      }
    }
  }

  /**
   * The port for administrators.
   *
   * @param token what they must show; null where only this machine can ask
   * @param names by which browsers and others may ask there, beside its address
   * @param operationsToken with which counters may be changed on the other ports, too, in other
   *     ways than by asking to pass; null for none
   */
  public record Admin(
      String host,
      int port,
      @Nullable String token,
      Set<String> names,
      @Nullable String operationsToken) {
    public Admin {
      names = Set.copyOf(names);
      names.forEach(AllowedHosts::checkName);
      if (operationsToken != null) {
        BearerToken.check(operationsToken);
      }
      checkPort("admin port", port, 0);
      if (token == null && !isLoopback(host)) {
        String expected = "a loopback address, or a token for administrators";
        throw new IllegalArgumentException("admin host: " + host + " (expected: " + expected + ")");
      }
    }

    /** Without the tokens. */
    @Override
    public String toString() {
      return new ListenAddress(host, port).toString();
    }
  }

  /**
   * How long things may take.
   *
   * @param drain how long to go on answering after readiness is off, so that balancers notice
   * @param request how long a request may take to arrive, from its first byte to its last
   * @param warmUp how long it may take at most to be warm, before it is ready; zero for no warm-up
   */
  public record Times(Duration drain, Duration request, Duration warmUp) {
    public Times {
      checkTime("drain time", drain, Duration.ZERO, 0);
      checkTime("request time", request, Duration.ofMillis(100), 1);
      checkTime("warm-up time", warmUp, Duration.ZERO, 0);
    }
  }

  /**
   * The port for gRPC.
   *
   * @param port {@link #OFF} for none
   * @param tls null for none
   * @param rls how Envoy's rate limit service answers
   */
  public record Grpc(String host, int port, @Nullable Tls tls, RlsSettings rls) {
    public Grpc {
      checkPort("gRPC port", port, OFF);
    }
  }

  private static void checkPort(String name, int port, int least) {
    if (port < least || port > 65_535) {
      String expected = "between 0 and 65535" + (least == OFF ? ", or -1 for none" : "");
      throw new IllegalArgumentException(name + ": " + port + " (expected: " + expected + ")");
    }
  }

  private static void checkTime(String name, Duration time, Duration least, int leastSeconds) {
    if (time.compareTo(least) < 0 || time.compareTo(Duration.ofHours(1)) > 0) {
      String expected = "between " + leastSeconds + " and 3600";
      throw new IllegalArgumentException(
          name + ": " + time.toSeconds() + " s (expected: " + expected + ")");
    }
  }

  /** Where it listens, by what is there. */
  private Map<String, ListenAddress> addresses() {
    Map<String, ListenAddress> all = new LinkedHashMap<>();
    all.put("port", new ListenAddress(traffic.host, traffic.port));
    all.put("gRPC port", new ListenAddress(grpc.host, grpc.port));
    all.put("admin port", new ListenAddress(admin.host, admin.port));
    MetricsSettings.Listener alone = metrics.listener();
    if (alone != null) {
      all.put("metrics port", new ListenAddress(alone.host(), alone.port()));
    }
    return all;
  }

  /**
   * @throws IllegalArgumentException if two listeners would share an address
   */
  void checkConflicts() {
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

  /** Whether nobody but this machine can get there. */
  public static boolean isLoopback(String host) {
    // A name may begin with 127 and lead anywhere.
    return host.matches("127(\\.[0-9]{1,3}){3}") || host.equals("::1") || host.equals("localhost");
  }

  public ServerSettings withPorts(int trafficPort, int grpcPort, int adminPort) {
    return new ServerSettings(
        new Traffic(traffic.host, trafficPort, traffic.fields, traffic.jitter),
        new Admin(admin.host, adminPort, admin.token, admin.names, admin.operationsToken),
        tls,
        times,
        new Grpc(grpc.host, grpcPort, grpc.tls, grpc.rls),
        metrics,
        connections);
  }

  public ServerSettings withAdmin(String host, @Nullable String token) {
    return with(new Admin(host, admin.port, token, admin.names, admin.operationsToken));
  }

  public ServerSettings withOperationsToken(@Nullable String token) {
    return with(new Admin(admin.host, admin.port, admin.token, admin.names, token));
  }

  public ServerSettings withAdminNames(Set<String> names) {
    return with(new Admin(admin.host, admin.port, admin.token, names, admin.operationsToken));
  }

  private ServerSettings with(Admin other) {
    return new ServerSettings(traffic, other, tls, times, grpc, metrics, connections);
  }

  /** The same for all ports. */
  public ServerSettings withTls(Tls files) {
    Grpc other = new Grpc(grpc.host, grpc.port, files, grpc.rls);
    return new ServerSettings(traffic, admin, files, times, other, metrics, connections);
  }

  public ServerSettings withTimes(Times other) {
    return new ServerSettings(traffic, admin, tls, other, grpc, metrics, connections);
  }

  public ServerSettings withDrain(Duration drain) {
    return withTimes(new Times(drain, times.request, times.warmUp));
  }

  public ServerSettings withRequestTime(Duration request) {
    return withTimes(new Times(times.drain, request, times.warmUp));
  }

  public ServerSettings withWarmUp(Duration limit) {
    return withTimes(new Times(times.drain, times.request, limit));
  }

  public ServerSettings withRls(RlsSettings answers) {
    Grpc other = new Grpc(grpc.host, grpc.port, grpc.tls, answers);
    return new ServerSettings(traffic, admin, tls, times, other, metrics, connections);
  }

  public ServerSettings withConnections(ConnectionLimits limits) {
    return new ServerSettings(traffic, admin, tls, times, grpc, metrics, limits);
  }

  public ServerSettings withMetrics(MetricsSettings other) {
    return new ServerSettings(traffic, admin, tls, times, grpc, other, connections);
  }
}
