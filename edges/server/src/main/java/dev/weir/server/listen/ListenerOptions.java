package dev.weir.server.listen;

import dev.weir.server.tls.ClientTrust;
import dev.weir.server.tls.Tls;
import io.vertx.core.http.ClientAuth;
import io.vertx.core.http.Http2Settings;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.PemKeyCertOptions;
import org.jspecify.annotations.Nullable;

/** The Vert.x options of all listeners: bounds of requests, and TLS. */
final class ListenerOptions {
  /** The maximum length of the request line on HTTP/1. */
  static final int MAX_LINE_BYTES = 8 << 10;

  /**
   * Beyond this size HTTP/2 closes the connection, with the streams of other callers on it. So it
   * is more than a gateway passes on (60 KiB for Envoy). Headers beyond {@link
   * HeaderSize#MAX_CHARS} are rejected on their own stream.
   */
  private static final int MAX_HTTP2_HEADER_BYTES = 128 << 10;

  private static final int MAX_STREAMS = 100;
  private static final int IDLE_SECONDS = 75;

  private ListenerOptions() {}

  /**
   * The options of a listener.
   *
   * @param tls its files, which are read now; null for plain text
   * @throws IllegalArgumentException if the client CA file has no certificate
   */
  static HttpServerOptions of(String host, int port, @Nullable Tls tls) {
    HttpServerOptions options =
        new HttpServerOptions()
            .setHost(host)
            .setPort(port)
            .setMaxHeaderSize(HeaderSize.MAX_CHARS)
            .setMaxInitialLineLength(MAX_LINE_BYTES)
            .setInitialSettings(
                new Http2Settings()
                    .setMaxConcurrentStreams(MAX_STREAMS)
                    .setMaxHeaderListSize(MAX_HTTP2_HEADER_BYTES))
            .setReadIdleTimeout(IDLE_SECONDS);
    if (tls != null) {
      options
          .setSsl(true)
          .setUseAlpn(true)
          .setKeyCertOptions(
              new PemKeyCertOptions()
                  .setCertPath(tls.certificate().toString())
                  .setKeyPath(tls.key().toString()));
      if (tls.clients() != null) {
        options
            .setClientAuth(ClientAuth.REQUIRED)
            .setTrustOptions(ClientTrust.of(tls.clients()).options());
      }
    }
    return options;
  }
}
