package dev.weir.server;

import dev.weir.http.LimitFields;
import dev.weir.server.rls.RlsSettings;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Where and how to listen.
 *
 * @param port 0 for any that is free
 * @param grpcPort for Envoy's rate limit service; 0 for any that is free, {@link #OFF} for none
 * @param adminToken what administrators must show; null where only this machine can ask
 * @param jitter share of the wait, in percent, that {@code Retry-After} may be longer by
 * @param drain how long to go on answering after readiness is off, so that balancers notice
 * @param requestTime how long a request may take to arrive, from its first byte to its last
 * @param rls how Envoy's rate limit service answers
 */
public record ServerSettings(
    String host,
    int port,
    String adminHost,
    int adminPort,
    int grpcPort,
    @Nullable String adminToken,
    @Nullable Tls tls,
    LimitFields fields,
    int jitter,
    Duration drain,
    Duration requestTime,
    RlsSettings rls) {

  /** The port of what does not listen. */
  public static final int OFF = -1;

  /** PEM files. */
  public record Tls(Path certificate, Path key) {
    /**
     * Reads them once, to see that they can be served with.
     *
     * @throws IllegalArgumentException with {@code tls-cert} or {@code tls-key}, the file and what
     *     was expected
     */
    public void check() {
      TlsFiles.check(this);
    }
  }

  /** Every address on 8080, gRPC on 8081, administration on 6070 for this machine only. */
  public static final ServerSettings DEFAULT =
      new ServerSettings(
          "0.0.0.0",
          8080,
          "127.0.0.1",
          6070,
          8081,
          null,
          null,
          LimitFields.all(),
          0,
          Duration.ZERO,
          Duration.ofSeconds(10),
          RlsSettings.DEFAULT);

  public ServerSettings {
    if (port < 0 || port > 65_535 || adminPort < 0 || adminPort > 65_535) {
      String value = port + ", " + adminPort;
      throw new IllegalArgumentException("port: " + value + " (expected: between 0 and 65535)");
    }
    if (grpcPort < OFF || grpcPort > 65_535) {
      String expected = "between 0 and 65535, or -1 for none";
      throw new IllegalArgumentException(
          "gRPC port: " + grpcPort + " (expected: " + expected + ")");
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

  private static boolean isLoopback(String host) {
    // A name may begin with 127 and lead anywhere.
    return host.matches("127(\\.[0-9]{1,3}){3}") || host.equals("::1") || host.equals("localhost");
  }

  public ServerSettings withPorts(int traffic, int grpc, int admin) {
    return new ServerSettings(
        host,
        traffic,
        adminHost,
        admin,
        grpc,
        adminToken,
        tls,
        fields,
        jitter,
        drain,
        requestTime,
        rls);
  }

  public ServerSettings withTls(Tls files) {
    return new ServerSettings(
        host,
        port,
        adminHost,
        adminPort,
        grpcPort,
        adminToken,
        files,
        fields,
        jitter,
        drain,
        requestTime,
        rls);
  }

  public ServerSettings withRequestTime(Duration time) {
    return new ServerSettings(
        host,
        port,
        adminHost,
        adminPort,
        grpcPort,
        adminToken,
        tls,
        fields,
        jitter,
        drain,
        time,
        rls);
  }

  public ServerSettings withRls(RlsSettings answers) {
    return new ServerSettings(
        host,
        port,
        adminHost,
        adminPort,
        grpcPort,
        adminToken,
        tls,
        fields,
        jitter,
        drain,
        requestTime,
        answers);
  }
}
