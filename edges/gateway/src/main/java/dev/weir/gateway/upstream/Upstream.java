package dev.weir.gateway.upstream;

import dev.weir.gateway.adaptive.AdaptiveLimits;
import dev.weir.gateway.adaptive.ConcurrencyGate;
import dev.weir.rules.gateway.ConnectionSettings.Protocol;
import dev.weir.rules.gateway.UpstreamSettings;
import dev.weir.server.log.LogBudget;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.net.HostAndPort;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** A service behind the gateway: its servers, and connections to them. Thread-safe. */
public final class Upstream implements AutoCloseable {
  private static final Logger LOG = System.getLogger(Upstream.class.getName());
  private static final int MAX_LOGGED_PER_MINUTE = 10;
  private static final int BAD_GATEWAY = 502;
  private static final int GATEWAY_TIMEOUT = 504;

  private final UpstreamSettings settings;
  private final ServerRing ring;
  private final UpstreamClients clients;
  private final HealthProbes probes;
  private final Optional<ConcurrencyGate> gate;
  private final LogBudget unreachable = new LogBudget(MAX_LOGGED_PER_MINUTE);
  private final long responseNanos;
  private final long idleNanos;

  /** Connects to nothing yet; servers with a health check are probed from now on. */
  public Upstream(Vertx vertx, UpstreamSettings settings) {
    this.settings = settings;
    this.ring =
        new ServerRing(
            settings.servers().stream().map(UpstreamServer::new).toList(), settings.ejection());
    this.clients = new UpstreamClients(vertx, settings);
    this.probes = new HealthProbes(vertx, settings, ring.servers());
    this.gate =
        AdaptiveLimits.of(settings.concurrency(), new SplittableRandom()).map(ConcurrencyGate::new);
    this.responseNanos = settings.connection().timeouts().response().toNanos();
    this.idleNanos = settings.connection().timeouts().idle().toNanos();
  }

  /** The settings that it was created with. */
  public UpstreamSettings settings() {
    return settings;
  }

  /** Its servers. */
  public List<UpstreamServer> servers() {
    return ring.servers();
  }

  /** Whether one more request may be in flight; if so, it must {@link #leaveGate} once. */
  public boolean tryEnterGate() {
    return gate.isEmpty() || gate.get().tryEnter();
  }

  /**
   * Leaves the gate.
   *
   * @param nanos until the response began; how long a stream lasts is up to its client
   */
  public void leaveGate(long nanos, ConcurrencyGate.Outcome outcome) {
    gate.ifPresent(entered -> entered.exit(nanos, outcome));
  }

  /** A request will be sent to it; until it is {@link #release released}, connections stay open. */
  public void retain() {
    clients.retain();
  }

  /** The request has ended. */
  public void release() {
    clients.release();
  }

  /** The number of servers. */
  public int size() {
    return ring.servers().size();
  }

  /** Whether its requests may be streams that last, such as those of gRPC. */
  public boolean streams() {
    return settings.connection().protocol() == Protocol.HTTP2;
  }

  /** The maximum time until the headers of a response. */
  public long responseNanos() {
    return responseNanos;
  }

  /** The maximum time without a byte in either direction. */
  public long idleNanos() {
    return idleNanos;
  }

  /**
   * Chooses a server.
   *
   * @param failed one to avoid if there is another; null for none
   */
  public UpstreamServer pick(@Nullable UpstreamServer failed, long nowNanos) {
    return ring.next(failed, nowNanos);
  }

  /**
   * Opens a connection, or takes one from the pool. Call it on an event loop.
   *
   * @param authority what the client asked for; null if nothing
   */
  public Future<HttpClientRequest> connect(
      UpstreamServer server, HttpMethod method, String target, @Nullable String authority) {
    server.onRequest();
    Future<HttpClientRequest> request;
    try {
      request = clients.get().request(UpstreamClients.request(settings, server, method, target));
    } catch (IllegalStateException e) {
      return Future.failedFuture(e); // the gateway is being stopped
    }
    if (authority == null || !settings.connection().keepHost()) {
      return request;
    }
    HostAndPort host = HostAndPort.parseAuthority(authority, -1);
    return request.map(out -> host == null ? out : out.authority(host));
  }

  /** Counts an answer of a server; an answer that another proxy made is a failure. */
  public void onResponse(UpstreamServer server, int status, long nowNanos) {
    if (status >= BAD_GATEWAY && status <= GATEWAY_TIMEOUT) {
      ring.onFailure(server, nowNanos);
    } else {
      server.onSuccess();
    }
  }

  /** Counts a failure of a server to which there is no connection, and logs why. */
  public void onUnreachable(UpstreamServer server, Throwable cause, long nowNanos) {
    OptionalLong suppressed = unreachable.take();
    if (suppressed.isPresent()) {
      LOG.log(
          Level.WARNING,
          "Cannot connect to server {0} of upstream {1}: {2}{3}",
          server,
          settings.name(),
          reason(cause),
          suppressed.getAsLong() == 0
              ? ""
              : "; " + suppressed.getAsLong() + " more were not logged");
    }
    onFailure(server, nowNanos);
  }

  /** The message of the first cause, which says what the others only mention. */
  private static String reason(Throwable cause) {
    Throwable first = cause;
    while (first.getCause() != null && first.getCause() != first) {
      first = first.getCause();
    }
    return first.getMessage() == null ? first.toString() : first.getMessage();
  }

  /** Counts a failure of a server: no answer, or something that is not HTTP. */
  public void onFailure(UpstreamServer server, long nowNanos) {
    ring.onFailure(server, nowNanos);
  }

  /** Ends the probes, and closes connections when no request {@link #retain needs} them. */
  @Override
  public void close() {
    probes.close();
    clients.close();
  }
}
