package dev.weir.gateway.upstream;

import dev.weir.rules.gateway.ConnectionSettings;
import dev.weir.rules.gateway.ConnectionSettings.Protocol;
import dev.weir.rules.gateway.UpstreamSettings;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.net.PemTrustOptions;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

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
  private static final int MAX_WAITING = 1_000;
  private static final int HTTP2_CONNECTIONS = 2;

  /** Less than servers usually keep idle connections, so that they rarely close one in use. */
  private static final int KEEP_ALIVE_SECONDS = 30;

  private static final int MAX_CLOSE_SECONDS = 30;

  private final Vertx vertx;
  private final UpstreamSettings settings;
  private final Map<Thread, HttpClient> byLoop = new ConcurrentHashMap<>();
  private int users;
  private boolean closed;

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
    return vertx.createHttpClient(
        options(settings),
        new PoolOptions()
            .setHttp1MaxSize(each)
            .setHttp2MaxSize(Math.min(each, HTTP2_CONNECTIONS))
            .setMaxWaitQueueSize(MAX_WAITING));
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

  /** Keeps connections open until {@link #release}, even if they were to be closed already. */
  synchronized void retain() {
    users++;
  }

  /** Ends what {@link #retain} began. */
  synchronized void release() {
    users--;
    closeIfUnused();
  }

  /** Closes the connections as soon as no request needs them. */
  @Override
  public synchronized void close() {
    closed = true;
    closeIfUnused();
  }

  private void closeIfUnused() {
    if (closed && users == 0) {
      byLoop.values().forEach(one -> one.shutdown(MAX_CLOSE_SECONDS, TimeUnit.SECONDS));
      byLoop.clear();
    }
  }
}
