package dev.weir.spring.webflux;

import dev.weir.Descriptor;
import dev.weir.http.request.HttpRequest;
import java.net.InetSocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.server.reactive.ServerHttpRequest;

/** A request as Spring presents it, for servers whose own requests are not known. */
final class ExchangeRequest implements HttpRequest {
  private final ServerHttpRequest request;

  ExchangeRequest(ServerHttpRequest request) {
    this.request = request;
  }

  @Override
  public String method() {
    return request.getMethod().name();
  }

  @Override
  public String target() {
    String query = request.getURI().getRawQuery();
    String path = request.getURI().getRawPath();
    return query == null ? path : path + "?" + query;
  }

  @Override
  public @Nullable String authority() {
    return single(headers(HttpHeaders.HOST));
  }

  /** The only value; several different ones identify no host. */
  static @Nullable String single(List<String> hosts) {
    if (hosts.isEmpty()) {
      return null;
    }
    return hosts.stream().distinct().count() == 1 ? hosts.get(0) : Descriptor.UNUSABLE;
  }

  @Override
  public List<String> headers(String name) {
    return request.getHeaders().getOrEmpty(name);
  }

  @Override
  public @Nullable String peer() {
    return address(request.getRemoteAddress());
  }

  static @Nullable String address(@Nullable InetSocketAddress socket) {
    if (socket == null || socket.getAddress() == null) {
      return null;
    }
    return socket.getAddress().getHostAddress();
  }

  @Override
  public String toString() {
    return method() + " " + target();
  }
}
