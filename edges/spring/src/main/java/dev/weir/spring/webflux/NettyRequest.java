package dev.weir.spring.webflux;

import dev.weir.http.request.HttpRequest;
import java.net.InetSocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import reactor.netty.http.server.HttpServerRequest;

/**
 * A request as Reactor Netty received it. Spring and Reactor Netty may have replaced the address of
 * the peer by one that any client can send; the rules say which proxies are trusted.
 */
final class NettyRequest implements HttpRequest {
  private final HttpServerRequest request;

  NettyRequest(HttpServerRequest request) {
    this.request = request;
  }

  @Override
  public String method() {
    return request.method().name();
  }

  @Override
  public String target() {
    return request.uri();
  }

  @Override
  public @Nullable String authority() {
    return ExchangeRequest.single(headers(HttpHeaders.HOST));
  }

  @Override
  public List<String> headers(String name) {
    return request.requestHeaders().getAll(name);
  }

  @Override
  public @Nullable String peer() {
    return request.connectionRemoteAddress() instanceof InetSocketAddress socket
        ? ExchangeRequest.address(socket)
        : null;
  }

  @Override
  public String toString() {
    return method() + " " + target();
  }
}
