package dev.weir.gateway.proxy;

import dev.weir.Descriptor;
import dev.weir.gateway.log.AccessEntry;
import dev.weir.http.request.AbsoluteForm;
import dev.weir.http.request.Host;
import dev.weir.http.request.HttpRequest;
import dev.weir.server.listen.StreamedRequests;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The request of a client, as rules read it and as it is forwarded. Rules and upstream see the same
 * target and host; what two servers could read differently is refused.
 */
public final class ClientRequest implements HttpRequest {
  private final HttpServerRequest request;
  private final @Nullable String authority;
  private final String forwardedTarget;

  /** Known only when the headers have just arrived: later, a short body looks like none. */
  private final boolean hasBody;

  private ClientRequest(
      HttpServerRequest request, @Nullable String authority, String forwardedTarget) {
    this.request = request;
    this.authority = authority;
    this.forwardedTarget = forwardedTarget;
    this.hasBody = !StreamedRequests.hasNoBody(request);
  }

  /**
   * Reads a request. Call it when its headers have arrived, on its event loop.
   *
   * @throws IllegalArgumentException if its target or its host is not fit to be forwarded
   */
  public static ClientRequest of(HttpServerRequest request) {
    checkFraming(request);
    if (request.version() == HttpVersion.HTTP_2) {
      checkFields(request);
    }
    String target = request.uri();
    checkCharacters(target);
    String authority = authority(request);
    if (target.startsWith("/")) {
      return new ClientRequest(request, authority, target);
    }
    AbsoluteForm form = AbsoluteForm.of(target);
    if (form == null) {
      throw new IllegalArgumentException(
          "target: neither a path nor a URL (expected: one of them)");
    }
    String inTarget = target.substring(form.authorityStart(), form.authorityEnd());
    if (authority != null && !inTarget.equalsIgnoreCase(authority)) {
      throw new IllegalArgumentException("Host: not the one of the target (expected: the same)");
    }
    checkHost(inTarget);
    String rest = target.substring(form.authorityEnd());
    return new ClientRequest(request, inTarget, rest.startsWith("/") ? rest : "/" + rest);
  }

  /**
   * Refuses header fields of HTTP/2 that would be others in HTTP/1, where an end of line ends them.
   * The decoder of HTTP/1 refuses them itself.
   */
  private static void checkFields(HttpServerRequest request) {
    for (var field : request.headers()) {
      if (!HeaderNames.isName(field.getKey()) || !HeaderNames.isValue(field.getValue())) {
        throw new IllegalArgumentException(
            "headers: a character that is not allowed (expected: names and values of HTTP)");
      }
    }
  }

  /** Refuses encodings of the body that another server might not know, and end it elsewhere. */
  private static void checkFraming(HttpServerRequest request) {
    List<String> encodings = request.headers().getAll(HttpHeaders.TRANSFER_ENCODING);
    boolean known = encodings.isEmpty() || (encodings.size() == 1 && isChunked(encodings.get(0)));
    if (!known) {
      throw new IllegalArgumentException("Transfer-Encoding: unknown (expected: chunked)");
    }
  }

  private static boolean isChunked(String encoding) {
    return encoding.strip().equalsIgnoreCase("chunked");
  }

  /** Refuses what a parser might take for the end of the target, or decode in its own way. */
  private static void checkCharacters(String target) {
    for (int i = 0; i < target.length(); i++) {
      char c = target.charAt(i);
      if (c <= ' ' || c >= 0x7f || c == '#') {
        throw new IllegalArgumentException(
            "target: a character that must be percent-encoded (expected: visible ASCII)");
      }
    }
  }

  /** The host that the client asks for. HTTP/2 may have two; HTTP/1.0 may have none. */
  private static @Nullable String authority(HttpServerRequest request) {
    String host = request.getHeader("host");
    if (request.version() == HttpVersion.HTTP_2 && request.authority() != null) {
      String authority = request.authority().toString();
      if (host != null && !host.equalsIgnoreCase(authority)) {
        throw new IllegalArgumentException("Host: not that of :authority (expected: the same)");
      }
      host = authority;
    }
    if (host == null) {
      if (request.version() == HttpVersion.HTTP_1_0) {
        return null;
      }
      throw new IllegalArgumentException("Host: absent (expected: one)");
    }
    checkHost(host);
    return host;
  }

  private static void checkHost(String host) {
    if (Host.of(host).equals(Descriptor.UNUSABLE)) {
      throw new IllegalArgumentException("Host: malformed (expected: a name or an address)");
    }
  }

  /** Whether the request has a body. */
  boolean hasBody() {
    return hasBody;
  }

  /** The target in the form for the upstream: a path and perhaps a query, as the client sent it. */
  String forwardedTarget() {
    return forwardedTarget;
  }

  /** The request on its connection. */
  public HttpServerRequest http() {
    return request;
  }

  /**
   * What the access log says of it.
   *
   * @param client the address of the client
   */
  public AccessEntry.Request logged(@Nullable String client) {
    return new AccessEntry.Request(
        client,
        method(),
        target(),
        protocol(request.version()),
        authority,
        request.getHeader(HttpHeaders.REFERER),
        request.getHeader(HttpHeaders.USER_AGENT));
  }

  private static String protocol(HttpVersion version) {
    return switch (version) {
      case HTTP_1_0 -> "HTTP/1.0";
      case HTTP_1_1 -> "HTTP/1.1";
      case HTTP_2 -> "HTTP/2.0";
    };
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
    return authority;
  }

  @Override
  public List<String> headers(String name) {
    return request.headers().getAll(name);
  }

  @Override
  public @Nullable String peer() {
    return request.remoteAddress() == null ? null : request.remoteAddress().hostAddress();
  }
}
