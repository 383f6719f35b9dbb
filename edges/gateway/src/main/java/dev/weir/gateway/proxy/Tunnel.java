package dev.weir.gateway.proxy;

import dev.weir.http.identity.HopByHop;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.NetSocket;
import org.jspecify.annotations.Nullable;

/**
 * An upgraded connection, of which bytes pass both ways: a WebSocket. Other protocols are not
 * upgraded to, since requests could hide in them. Confined to one event loop.
 */
final class Tunnel {
  private final NetSocket upstream;
  private @Nullable NetSocket client;
  private @Nullable Pump down;
  private boolean closed;

  private Tunnel(NetSocket upstream) {
    this.upstream = upstream;
  }

  /** Whether a request asks for a WebSocket. */
  static boolean isRequestedBy(HttpServerRequest request) {
    return request.version() == HttpVersion.HTTP_1_1
        && request.method().name().equals("GET")
        && "websocket".equalsIgnoreCase(request.getHeader(HttpHeaders.UPGRADE))
        && new HopByHop(request.headers().getAll(HttpHeaders.CONNECTION)).names("upgrade");
  }

  /** Adds the headers that ask the upstream. */
  static void request(HttpClientRequest out, HttpServerRequest request) {
    out.putHeader(HttpHeaders.CONNECTION, HttpHeaders.UPGRADE);
    out.putHeader(HttpHeaders.UPGRADE, (CharSequence) "websocket");
  }

  /** Answers the client that the protocol is switched, and connects both sides. */
  static Tunnel open(HttpClientResponse in, HttpServerRequest request, Exchange exchange) {
    Tunnel tunnel = new Tunnel(in.netSocket());
    tunnel.upstream.pause();
    ResponseHead.copy(in, request);
    request.response().setChunked(false);
    request.response().putHeader(HttpHeaders.CONNECTION, HttpHeaders.UPGRADE);
    request.response().putHeader(HttpHeaders.UPGRADE, (CharSequence) "websocket");
    request
        .toNetSocket()
        .onComplete(
            opened -> {
              if (opened.succeeded()) {
                tunnel.connect(opened.result(), exchange);
              } else {
                exchange.onTunnelClosed();
              }
            });
    return tunnel;
  }

  private void connect(NetSocket socket, Exchange exchange) {
    client = socket;
    if (closed) {
      var unused = socket.close();
      return;
    }
    upstream.exceptionHandler(failure -> exchange.onTunnelClosed());
    socket.exceptionHandler(failure -> exchange.onTunnelClosed());
    upstream.closeHandler(end -> exchange.onTunnelClosed());
    socket.closeHandler(end -> exchange.onTunnelClosed());
    Pump toClient = new Pump(upstream, socket, part -> exchange.onTunnelBytes());
    Pump toUpstream = new Pump(socket, upstream, part -> exchange.onTunnelBytes());
    down = toClient;
    toClient.start(
        () -> {
          var unused = socket.end();
        });
    toUpstream.start(
        () -> {
          var unused = upstream.end();
        });
  }

  /** Closes both sides. */
  void close() {
    closed = true;
    close(upstream);
    if (client != null) {
      close(client);
    }
  }

  private static void close(NetSocket socket) {
    var unused = socket.close();
  }

  /** The bytes that were sent to the client. */
  long bytes() {
    return down == null ? 0 : down.bytes();
  }
}
