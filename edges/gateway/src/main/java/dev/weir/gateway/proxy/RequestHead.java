package dev.weir.gateway.proxy;

import dev.weir.http.identity.HopByHop;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The headers of a request for its upstream: those of the client without what belongs to its
 * connection, and with where it comes from.
 *
 * <p>What only proxies may say is dropped from a client, and extended from a trusted proxy.
 */
final class RequestHead {
  private static final CharSequence X_FORWARDED_FOR =
      HttpHeaders.createOptimized("X-Forwarded-For");
  private static final CharSequence X_FORWARDED_PROTO =
      HttpHeaders.createOptimized("X-Forwarded-Proto");
  private static final CharSequence X_FORWARDED_HOST =
      HttpHeaders.createOptimized("X-Forwarded-Host");
  private static final CharSequence FORWARDED = HttpHeaders.createOptimized("Forwarded");
  private static final CharSequence REQUEST_ID = HttpHeaders.createOptimized("X-Request-Id");
  private static final CharSequence TRACE_PARENT = HttpHeaders.createOptimized("traceparent");
  private static final CharSequence TRACE_STATE = HttpHeaders.createOptimized("tracestate");

  private final ClientRequest client;
  private final boolean trusted;
  private final Set<String> trustedHeaders;
  private final TraceIds ids;

  /**
   * @param trusted whether the peer is a trusted proxy
   * @param trustedHeaders the headers, in lower case, that rules believe from trusted proxies alone
   */
  RequestHead(ClientRequest client, boolean trusted, Set<String> trustedHeaders, TraceIds ids) {
    this.client = client;
    this.trusted = trusted;
    this.trustedHeaders = trustedHeaders;
    this.ids = ids;
  }

  /** Writes the headers. */
  void writeTo(MultiMap out) {
    HttpServerRequest request = client.http();
    List<String> connection = request.headers().getAll(HttpHeaders.CONNECTION);
    HopByHop named = connection.isEmpty() ? null : new HopByHop(connection);
    boolean trailers = false;
    for (var header : request.headers()) {
      String name = header.getKey();
      if (isForwarded(name, named)) {
        out.add(name, header.getValue());
      }
      trailers |= name.equalsIgnoreCase("te") && header.getValue().contains("trailers");
    }
    if (trailers) {
      out.set("TE", "trailers"); // gRPC needs it
    }
    writeOrigin(request, out);
    out.set(REQUEST_ID, (CharSequence) ids.requestId());
    out.set(TRACE_PARENT, (CharSequence) ids.traceParent());
    if (ids.isNewTrace()) {
      out.remove(TRACE_STATE); // belongs to a trace that the client named in no valid way
    }
  }

  private boolean isForwarded(String name, @Nullable HopByHop named) {
    if (name.startsWith(":") // of HTTP/2
        || name.equalsIgnoreCase("host")
        || name.equalsIgnoreCase("expect") // answered here
        || HeaderNames.isHopByHop(name)) {
      return false;
    }
    if (!trusted && (HeaderNames.isOfProxies(name) || isTrustedHeader(name))) {
      return false;
    }
    // The length of the body is not for the client to remove.
    return named == null || !named.names(name) || name.equalsIgnoreCase("content-length");
  }

  private boolean isTrustedHeader(String name) {
    return !trustedHeaders.isEmpty()
        && trustedHeaders.contains(name.toLowerCase(java.util.Locale.ROOT).replace('_', '-'));
  }

  private void writeOrigin(HttpServerRequest request, MultiMap out) {
    String peer = client.peer();
    String host = client.authority();
    String scheme = request.isSSL() ? "https" : "http";
    if (peer != null) {
      append(out, X_FORWARDED_FOR, peer);
    }
    append(out, FORWARDED, forwarded(peer, host, scheme));
    if (!out.contains(X_FORWARDED_PROTO)) {
      out.set(X_FORWARDED_PROTO, (CharSequence) scheme);
    }
    if (host != null && !out.contains(X_FORWARDED_HOST)) {
      out.set(X_FORWARDED_HOST, (CharSequence) host);
    }
  }

  /** Appends to the list of a trusted proxy; a client's own list has been dropped. */
  private static void append(MultiMap out, CharSequence name, String value) {
    List<String> before = out.getAll(name);
    out.set(
        name, (CharSequence) (before.isEmpty() ? value : String.join(", ", before) + ", " + value));
  }

  private static String forwarded(@Nullable String peer, @Nullable String host, String scheme) {
    StringBuilder out = new StringBuilder(64);
    out.append("for=");
    if (peer == null) {
      out.append("unknown");
    } else if (peer.indexOf(':') >= 0) {
      out.append("\"[").append(peer).append("]\"");
    } else {
      out.append(peer);
    }
    if (host != null) {
      out.append(";host=\"").append(host).append('"'); // a valid host needs no escapes
    }
    return out.append(";proto=").append(scheme).toString();
  }
}
