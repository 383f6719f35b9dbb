package dev.weir.servlet;

import dev.weir.Descriptor;
import dev.weir.http.request.HttpRequest;
import jakarta.servlet.ServletRequestWrapper;
import jakarta.servlet.http.HttpServletRequest;
import java.security.Principal;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * A request as the container received it.
 *
 * <p>Wrappers of other filters are passed by: one that believes {@code X-Forwarded-For} of any
 * client would let clients choose their address. The rules say which proxies are trusted.
 *
 * <p>For the thread of the request, like the request itself.
 */
public final class ServletHttpRequest implements HttpRequest {
  private final HttpServletRequest request;
  private final HttpServletRequest authenticated;
  private final BiFunction<HttpRequest, @Nullable Principal, @Nullable String> identity;

  /**
   * A request as the container received it.
   *
   * @param request as other filters pass it on; they may have authenticated its user
   * @param identity names the user; called only if the rules ask for one
   */
  ServletHttpRequest(
      HttpServletRequest request,
      BiFunction<HttpRequest, @Nullable Principal, @Nullable String> identity) {
    this.request = unwrapped(request);
    this.authenticated = request;
    this.identity = identity;
  }

  /** A request without an authenticated user. */
  public static ServletHttpRequest of(HttpServletRequest request) {
    return new ServletHttpRequest(request, (received, user) -> null);
  }

  private static HttpServletRequest unwrapped(HttpServletRequest request) {
    HttpServletRequest inner = request;
    while (inner instanceof ServletRequestWrapper wrapper
        && wrapper.getRequest() instanceof HttpServletRequest next) {
      inner = next;
    }
    return inner;
  }

  @Override
  public String method() {
    return request.getMethod();
  }

  @Override
  public String target() {
    String query = request.getQueryString();
    return query == null ? request.getRequestURI() : request.getRequestURI() + "?" + query;
  }

  @Override
  public @Nullable String authority() {
    List<String> hosts = headers("Host");
    if (hosts.isEmpty()) {
      // Over HTTP/2 the authority need not be a header; a server without either makes a name up.
      return request.getProtocol().startsWith("HTTP/1") ? null : request.getServerName();
    }
    return hosts.stream().distinct().count() == 1 ? hosts.get(0) : Descriptor.UNUSABLE;
  }

  @Override
  public List<String> headers(String name) {
    Enumeration<String> values = request.getHeaders(name);
    return values == null || !values.hasMoreElements() ? List.of() : Collections.list(values);
  }

  @Override
  public @Nullable String peer() {
    String address = request.getRemoteAddr(); // Jetty writes IPv6 in brackets
    return address != null && address.startsWith("[") && address.endsWith("]")
        ? address.substring(1, address.length() - 1)
        : address;
  }

  @Override
  public @Nullable String principal() {
    HttpRequest anonymous = new ServletHttpRequest(authenticated, (request, user) -> null);
    return identity.apply(anonymous, authenticated.getUserPrincipal());
  }

  @Override
  public String toString() {
    return method() + " " + target();
  }
}
