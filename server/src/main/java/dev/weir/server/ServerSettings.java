package dev.weir.server;

import dev.weir.http.LimitFields;
import dev.weir.server.rls.RlsSettings;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Where and how to listen.
 *
 * @param port 0 for any that is free
 * @param adminToken what administrators must show; null where only this machine can ask
 * @param tls for traffic and administration; null for none
 * @param jitter share of the wait, in percent, that {@code Retry-After} may be longer by
 * @param drain how long to go on answering after readiness is off, so that balancers notice
 * @param requestTime how long a request may take to arrive, from its first byte to its last
 * @param grpc for Envoy's rate limit service
 * @param metrics under which names, and where else than for administrators
 */
public record ServerSettings(
    String host,
    int port,
    String adminHost,
    int adminPort,
    @Nullable String adminToken,
    @Nullable Tls tls,
    LimitFields fields,
    int jitter,
    Duration drain,
    Duration requestTime,
    Grpc grpc,
    MetricsSettings metrics) {

  /** The port of what does not listen. */
  public static final int OFF = -1;

  /**
   * The port for gRPC.
   *
   * @param port 0 for any that is free, {@link #OFF} for none
   * @param tls null for none
   * @param rls how Envoy's rate limit service answers
   */
  public record Grpc(String host, int port, @Nullable Tls tls, RlsSettings rls) {
    public Grpc {
      if (port < OFF || port > 65_535) {
        String expected = "between 0 and 65535, or -1 for none";
        throw new IllegalArgumentException("gRPC port: " + port + " (expected: " + expected + ")");
      }
    }
  }

  /** Every address on 8080, gRPC on 8081, administration on 6070 for this machine only. */
  public static final ServerSettings DEFAULT =
      new ServerSettings(
          "0.0.0.0",
          8080,
          "127.0.0.1",
          6070,
          null,
          null,
          LimitFields.all(),
          0,
          Duration.ZERO,
          Duration.ofSeconds(10),
          new Grpc("0.0.0.0", 8081, null, RlsSettings.DEFAULT),
          MetricsSettings.DEFAULT);

  public ServerSettings {
    if (port < 0 || port > 65_535 || adminPort < 0 || adminPort > 65_535) {
      String value = port + ", " + adminPort;
      throw new IllegalArgumentException("port: " + value + " (expected: between 0 and 65535)");
    }
    if (adminToken == null && !isLoopback(adminHost)) {
      String expected = "a loopback address, or a token for administrators";
      throw new IllegalArgumentException(
          "admin host: " + adminHost + " (expected: " + expected + ")");
    }
    if (jitter < 0 || jitter > 100) {
      throw new IllegalArgumentException("jitter: " + jitter + " (expected: between 0 and 100)");
    }
    if (requestTime.toMillis() < 100 || requestTime.compareTo(Duration.ofHours(1)) > 0) {
      throw new IllegalArgumentException(
          "request time: " + requestTime.toSeconds() + " s (expected: between 1 and 3600)");
    }
  }

  /** Whether nobody but this machine can get there. */
  public static boolean isLoopback(String host) {
    // A name may begin with 127 and lead anywhere.
    return host.matches("127(\\.[0-9]{1,3}){3}") || host.equals("::1") || host.equals("localhost");
  }

  public ServerSettings withPorts(int traffic, int grpcPort, int admin) {
    return new ServerSettings(
        host,
        traffic,
        adminHost,
        admin,
        adminToken,
        tls,
        fields,
        jitter,
        drain,
        requestTime,
        new Grpc(grpc.host, grpcPort, grpc.tls, grpc.rls),
        metrics);
  }

  public ServerSettings withAdmin(String where, @Nullable String token) {
    return new ServerSettings(
        host,
        port,
        where,
        adminPort,
        token,
        tls,
        fields,
        jitter,
        drain,
        requestTime,
        grpc,
        metrics);
  }

  /** The same for all ports. */
  public ServerSettings withTls(Tls files) {
    return new ServerSettings(
        host,
        port,
        adminHost,
        adminPort,
        adminToken,
        files,
        fields,
        jitter,
        drain,
        requestTime,
        new Grpc(grpc.host, grpc.port, files, grpc.rls),
        metrics);
  }

  public ServerSettings withDrain(Duration time) {
    return new ServerSettings(
        host,
        port,
        adminHost,
        adminPort,
        adminToken,
        tls,
        fields,
        jitter,
        time,
        requestTime,
        grpc,
        metrics);
  }

  public ServerSettings withRequestTime(Duration time) {
    return new ServerSettings(
        host,
        port,
        adminHost,
        adminPort,
        adminToken,
        tls,
        fields,
        jitter,
        drain,
        time,
        grpc,
        metrics);
  }

  public ServerSettings withGrpc(Grpc settings) {
    return new ServerSettings(
        host,
        port,
        adminHost,
        adminPort,
        adminToken,
        tls,
        fields,
        jitter,
        drain,
        requestTime,
        settings,
        metrics);
  }

  public ServerSettings withRls(RlsSettings answers) {
    return withGrpc(new Grpc(grpc.host, grpc.port, grpc.tls, answers));
  }

  public ServerSettings withMetrics(MetricsSettings told) {
    return new ServerSettings(
        host,
        port,
        adminHost,
        adminPort,
        adminToken,
        tls,
        fields,
        jitter,
        drain,
        requestTime,
        grpc,
        told);
  }
}
