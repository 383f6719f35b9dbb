package dev.weir.spring.webflux;

import dev.weir.http.request.HttpRequest;
import dev.weir.servlet.ServletHttpRequest;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.util.ClassUtils;
import reactor.netty.http.server.HttpServerRequest;

/** Finds the request as the server received it, behind what Spring made of it. */
final class ReceivedRequest {
  private static final boolean NETTY = isPresent("reactor.netty.http.server.HttpServerRequest");
  private static final boolean SERVLET = isPresent("jakarta.servlet.http.HttpServletRequest");

  private ReceivedRequest() {}

  private static boolean isPresent(String type) {
    return ClassUtils.isPresent(type, ReceivedRequest.class.getClassLoader());
  }

  static HttpRequest of(ServerHttpRequest request) {
    Object received = nativeRequest(request);
    if (NETTY) {
      HttpRequest found = Netty.request(received);
      if (found != null) {
        return found;
      }
    }
    if (SERVLET) {
      HttpRequest found = Servlets.request(received);
      if (found != null) {
        return found;
      }
    }
    return new ExchangeRequest(request);
  }

  /** The request of the server; null for a request of a test, which has none. */
  static @Nullable Object nativeRequest(ServerHttpRequest request) {
    try {
      return ServerHttpRequestDecorator.getNativeRequest(request);
    } catch (IllegalArgumentException | IllegalStateException e) {
      return null;
    }
  }

  /** Loaded only where Reactor Netty is there. */
  private static final class Netty {
    static @Nullable HttpRequest request(@Nullable Object received) {
      return received instanceof HttpServerRequest netty ? new NettyRequest(netty) : null;
    }
  }

  /** Loaded only where servlets are there. */
  private static final class Servlets {
    static @Nullable HttpRequest request(@Nullable Object received) {
      return received instanceof HttpServletRequest servlet ? ServletHttpRequest.of(servlet) : null;
    }
  }
}
