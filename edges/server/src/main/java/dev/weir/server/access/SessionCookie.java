package dev.weir.server.access;

import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.HostAndPort;
import java.util.Optional;

/**
 * The cookie that carries the identifier of a session.
 *
 * <p>Scripts cannot read it, and no page of another site can have it sent. Over TLS no other host
 * and no plaintext page can set it. Browsers send a cookie to all ports of a host, so its name has
 * the port in it: sessions on two servers do not replace each other.
 */
final class SessionCookie {
  private static final String NAME = "weir-session-";
  private static final String ATTRIBUTES = "; Path=/; HttpOnly; SameSite=Strict";

  /** A cookie with this prefix is accepted only with Secure, without Domain and with Path=/. */
  private static final String OF_THIS_HOST = "__Host-";

  private SessionCookie() {}

  private static String name(HttpServerRequest request) {
    HostAndPort authority = request.authority();
    int given = authority == null ? -1 : authority.port();
    int port = given > 0 ? given : request.isSSL() ? 443 : 80;
    return (request.isSSL() ? OF_THIS_HOST : "") + NAME + port;
  }

  /**
   * The identifier that a request presents. Empty if it presents several: somebody else may have
   * set the other cookie.
   */
  static Optional<String> read(HttpServerRequest request) {
    String prefix = name(request) + "=";
    String found = null;
    for (String line : request.headers().getAll(HttpHeaders.COOKIE)) {
      for (String pair : line.split(";", -1)) {
        String cookie = pair.strip();
        if (cookie.startsWith(prefix)) {
          if (found != null) {
            return Optional.empty();
          }
          found = cookie.substring(prefix.length());
        }
      }
    }
    return Optional.ofNullable(found).filter(id -> !id.isEmpty());
  }

  /** Has the browser keep an identifier until it is closed. */
  static void set(HttpServerRequest request, String id) {
    put(request, name(request) + "=" + id + ATTRIBUTES);
  }

  /** Has the browser drop the identifier. */
  static void clear(HttpServerRequest request) {
    put(request, name(request) + "=" + ATTRIBUTES + "; Max-Age=0");
  }

  private static void put(HttpServerRequest request, String cookie) {
    request
        .response()
        .putHeader(HttpHeaders.SET_COOKIE, request.isSSL() ? cookie + "; Secure" : cookie);
  }
}
