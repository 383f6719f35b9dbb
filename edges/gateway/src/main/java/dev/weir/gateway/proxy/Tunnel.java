package dev.weir.gateway.proxy;

import dev.weir.http.identity.HopByHop;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.NetSocket;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * An upgraded connection, of which bytes pass both ways: a WebSocket. Other protocols are not
 * upgraded to, since requests could hide in them. Confined to one event loop.
 */
final class Tunnel {
  private static final String KEY = "Sec-WebSocket-Key";
  private static final String ACCEPT_SUFFIX = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

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
        && request.headers().getAll(KEY).size() == 1
        && new HopByHop(request.headers().getAll(HttpHeaders.CONNECTION)).names("upgrade");
  }

  /**
   * Whether an upstream agrees to a WebSocket with this client. A status of 101 alone is no proof:
   * some services return any status that a client asks for, and go on to read requests.
   */
  static boolean isAccepted(HttpClientResponse in, HttpServerRequest request) {
    return "websocket".equalsIgnoreCase(in.getHeader(HttpHeaders.UPGRADE))
        && new HopByHop(in.headers().getAll(HttpHeaders.CONNECTION)).names("upgrade")
        && accept(request.getHeader(KEY)).equals(in.getHeader("Sec-WebSocket-Accept"));
  }

  /** The proof that a server has understood a key (RFC 6455, 4.2.2). */
  private static String accept(String key) {
    try {
      byte[] both = (key + ACCEPT_SUFFIX).getBytes(StandardCharsets.ISO_8859_1);
      return Base64.getEncoder().encodeToString(MessageDigest.getInstance("SHA-1").digest(both));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // every JDK has it
    }
  }

  /** Adds the headers that ask the upstream. */
  static void request(HttpClientRequest out) {
    out.putHeader(HttpHeaders.CONNECTION, HttpHeaders.UPGRADE);
    out.putHeader(HttpHeaders.UPGRADE, (CharSequence) "websocket");
  }

  /** Sends the response, which has the upstream's headers, and connects both sides. */
  static Tunnel open(HttpClientResponse in, HttpServerRequest request, Exchange exchange) {
    Tunnel tunnel = new Tunnel(in.netSocket());
    tunnel.upstream.pause();
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
