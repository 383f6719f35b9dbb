package dev.weir.server.access;

import io.netty.util.AsciiString;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.HostAndPort;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Detects requests that a page of another site made a browser send.
 *
 * <p>A page of any site can make a visitor's browser send requests to machines that only this
 * browser can reach. The browser says so: with {@code Origin} in every POST, and with {@code
 * Sec-Fetch-Site} in every request to this machine or over TLS. Programs send neither.
 */
public final class BrowserOrigin {
  private static final CharSequence ORIGIN = AsciiString.cached("origin");
  private static final CharSequence FETCH_SITE = AsciiString.cached("sec-fetch-site");

  /** The same host and port, or no page at all: the user typed the address. */
  private static final List<String> OWN = List.of("same-origin", "none");

  private static final int MAX_SHOWN = 100;

  private BrowserOrigin() {}

  /**
   * Why a request comes from another site; empty if it does not.
   *
   * @param hosts the names under which a browser may know this server; under any other name the
   *     site may be a foreign one whose name server points here
   */
  public static Optional<String> foreign(HttpServerRequest request, AllowedHosts hosts) {
    return foreignOrigin(request)
        .or(() -> foreignFetch(request))
        .or(() -> isOfPage(request) ? hosts.foreign(request) : Optional.empty());
  }

  private static boolean isOfPage(HttpServerRequest request) {
    return request.headers().contains(ORIGIN) || request.headers().contains(FETCH_SITE);
  }

  /**
   * Like {@link #foreign}, by {@code Origin} alone: a user who follows a link comes from another
   * site, and may.
   */
  public static Optional<String> foreignOrigin(HttpServerRequest request) {
    if (!request.headers().contains(ORIGIN)) {
      return Optional.empty();
    }
    HostAndPort own = request.authority();
    for (String origin : request.headers().getAll(ORIGIN)) {
      if (own == null || !isAt(origin, own)) {
        return Optional.of(refusal("Origin", origin, "that of this server, or none"));
      }
    }
    return Optional.empty();
  }

  private static Optional<String> foreignFetch(HttpServerRequest request) {
    if (!request.headers().contains(FETCH_SITE)) {
      return Optional.empty();
    }
    for (String site : request.headers().getAll(FETCH_SITE)) {
      if (!OWN.contains(site)) {
        return Optional.of(refusal("Sec-Fetch-Site", site, "same-origin, or none"));
      }
    }
    return Optional.empty();
  }

  private static String refusal(String header, String value, String expected) {
    String shown = value.length() > MAX_SHOWN ? value.substring(0, MAX_SHOWN) + "…" : value;
    return header + ": " + shown + " (expected: " + expected + ")";
  }

  /** Whether an origin is this host and port. The scheme differs where TLS ends at a proxy. */
  private static boolean isAt(String origin, HostAndPort own) {
    int scheme = origin.indexOf("://");
    if (scheme < 0) {
      return false;
    }
    int defaultPort =
        switch (origin.substring(0, scheme)) {
          case "http" -> 80;
          case "https" -> 443;
          default -> -1;
        };
    HostAndPort from = HostAndPort.parseAuthority(origin.substring(scheme + 3), -1);
    return from != null
        && defaultPort > 0
        && lower(from.host()).equals(lower(own.host()))
        && port(from, defaultPort) == port(own, defaultPort);
  }

  private static int port(HostAndPort at, int defaultPort) {
    return at.port() <= 0 ? defaultPort : at.port();
  }

  private static String lower(String host) {
    return host.toLowerCase(Locale.ROOT);
  }
}
