package dev.weir.server.reply;

import dev.weir.server.access.AllowedHosts;
import dev.weir.server.access.BrowserOrigin;
import dev.weir.server.access.MediaType;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.util.Optional;

/**
 * Rejects what a page of another site makes a browser send to an operator port, and restricts what
 * other sites can do with responses. Immutable and thread-safe.
 *
 * <p>A request for another host comes from a page whose name server points here (DNS rebinding). A
 * request that may change something has to come from a page of this server or from a program, and
 * is JSON: a page of another site cannot send that without asking first, which is never granted.
 */
public final class BrowserGuard {
  private final AllowedHosts hosts;

  /**
   * Guards a port.
   *
   * @param hosts the names under which the port may be addressed
   */
  public BrowserGuard(AllowedHosts hosts) {
    this.hosts = hosts;
  }

  /** Whether to handle the request; if not, it has been answered with an error. */
  public boolean admits(HttpServerRequest request) {
    SecurityHeaders.write(request.response());
    return passes(request, 421, hosts.foreign(request))
        && passes(request, 403, BrowserOrigin.foreignOrigin(request))
        && (isReading(request.method()) || admitsChange(request));
  }

  private static boolean isReading(HttpMethod method) {
    return method.equals(HttpMethod.GET) || method.equals(HttpMethod.HEAD);
  }

  private boolean admitsChange(HttpServerRequest request) {
    return passes(request, 403, BrowserOrigin.foreign(request, hosts))
        && (hasNoBody(request) || passes(request, 415, MediaType.notJson(request)));
  }

  /** Whether this is a DELETE without a body, before which browsers ask like before JSON. */
  private static boolean hasNoBody(HttpServerRequest request) {
    return request.method().equals(HttpMethod.DELETE)
        && !request.headers().contains(HttpHeaders.CONTENT_TYPE);
  }

  private static boolean passes(HttpServerRequest request, int status, Optional<String> problem) {
    problem.ifPresent(detail -> Replies.error(request, status, detail));
    return problem.isEmpty();
  }
}
