package dev.weir.gateway.upstream;

import dev.weir.rules.gateway.ConnectionSettings;
import dev.weir.rules.gateway.ConnectionSettings.Protocol;
import dev.weir.rules.gateway.UpstreamSettings;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.PemTrustOptions;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The connections to the servers of an upstream. Each event loop has its own, so that a request and
 * its response never change threads. Thread-safe.
 *
 * <p>A reload may close an upstream that requests have been routed to, some of which have not been
 * sent yet. So connections are closed only while no request has {@linkplain #retain retained} them.
 */
final class UpstreamClients implements AutoCloseable {
  private static final int MAX_HEADER_BYTES = 64 << 10;
  private static final int MAX_LINE_BYTES = 8 << 10;
  private static final int WAITING_PER_CONNECTION = 8;
  private static final int MIN_WAITING = 16;

  /** A request waits for a free connection so many times longer than for a new one at most. */
  private static final int CONNECT_TIMES = 2;

  private static final int HTTP2_CONNECTIONS = 2;

  /** Less than servers usually keep idle connections, so that they rarely close one in use. */
  private static final int KEEP_ALIVE_SECONDS = 30;

  private static final int MAX_CLOSE_SECONDS = 30;

  private final Vertx vertx;
  private final UpstreamSettings settings;
  private final Map<Thread, HttpClient> byLoop = new ConcurrentHashMap<>();
  private final AtomicLong users = new AtomicLong();
  private volatile boolean closed;

  UpstreamClients(Vertx vertx, UpstreamSettings settings) {
    this.vertx = vertx;
    this.settings = settings;
  }

  /** The client of the event loop that calls, which has retained it. */
  HttpClient get() {
    Thread loop = Thread.currentThread();
    HttpClient known = byLoop.get(loop);
    return known == null ? byLoop.computeIfAbsent(loop, absent -> create()) : known;
  }

  private HttpClient create() {
    int loops = Math.max(1, Runtime.getRuntime().availableProcessors());
    int each = Math.max(1, settings.connection().connections() / loops);
    return vertx
        .httpClientBuilder()
        .with(options(settings))
        .with(
            new PoolOptions()
                .setHttp1MaxSize(each)
                .setHttp2MaxSize(Math.min(each, HTTP2_CONNECTIONS))
                .setMaxWaitQueueSize(Math.max(MIN_WAITING, each * WAITING_PER_CONNECTION)))
        .withConnectHandler(ResponseGuard::install)
        .build();
  }

  /** The options of connections; bad certificate files fail when the first connection is opened. */
  static HttpClientOptions options(UpstreamSettings settings) {
    ConnectionSettings connection = settings.connection();
    boolean http2 = connection.protocol() == Protocol.HTTP2;
    HttpClientOptions options =
        new HttpClientOptions()
            .setProtocolVersion(http2 ? HttpVersion.HTTP_2 : HttpVersion.HTTP_1_1)
            .setHttp2ClearTextUpgrade(false)
            .setConnectTimeout((int) connection.timeouts().connect().toMillis())
            .setKeepAliveTimeout(KEEP_ALIVE_SECONDS)
            .setHttp2KeepAliveTimeout(KEEP_ALIVE_SECONDS)
            .setMaxHeaderSize(MAX_HEADER_BYTES)
            .setMaxInitialLineLength(MAX_LINE_BYTES)
            .setDecompressionSupported(false)
            .setTcpNoDelay(true);
    if (settings.isTls()) {
      options
          .setSsl(true)
          .setVerifyHost(true)
          .setSslHandshakeTimeout(connection.timeouts().connect().toMillis())
          .setSslHandshakeTimeoutUnit(TimeUnit.MILLISECONDS)
          .setUseAlpn(http2)
          .setAlpnVersions(List.of(http2 ? HttpVersion.HTTP_2 : HttpVersion.HTTP_1_1));
      connection
          .tls()
          .authorities()
          .ifPresent(
              file -> options.setTrustOptions(new PemTrustOptions().addCertPath(file.toString())));
    }
    return options;
  }

  /** A request to a server, over TLS under the name that its certificate must have. */
  static RequestOptions request(
      UpstreamSettings settings, UpstreamServer server, HttpMethod method, String target) {
    return new RequestOptions()
        .setServer(server.socket())
        .setHost(settings.connection().tls().name().orElse(server.address().host()))
        .setPort(server.address().port())
        .setMethod(method)
        .setURI(target)
        .setConnectTimeout(CONNECT_TIMES * settings.connection().timeouts().connect().toMillis());
  }

  /** Keeps connections open until {@link #release}, even if they were to be closed already. */
  void retain() {
    users.incrementAndGet();
  }

  /** Ends what {@link #retain} began. */
  void release() {
    users.decrementAndGet();
    if (closed) {
      closeIfUnused();
    }
  }

  /** Closes the connections as soon as no request needs them. */
  @Override
  public void close() {
    closed = true;
    closeIfUnused();
  }

  private synchronized void closeIfUnused() {
    if (users.get() == 0) {
      byLoop.values().forEach(one -> one.shutdown(MAX_CLOSE_SECONDS, TimeUnit.SECONDS));
      byLoop.clear();
    }
  }
}
