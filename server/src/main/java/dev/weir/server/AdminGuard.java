package dev.weir.server;

import dev.weir.server.access.AllowedHosts;
import dev.weir.server.access.BearerToken;
import dev.weir.server.access.BrowserOrigin;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Lets pass on a port for operators who may ask there, and answers all others. */
final class AdminGuard {
  private final AllowedHosts hosts;
  private final @Nullable BearerToken token;

  /**
   * @param token what must be shown; null for nothing
   */
  AdminGuard(AllowedHosts hosts, @Nullable BearerToken token) {
    this.hosts = hosts;
    this.token = token;
  }

  /** Whether an edge is to go on with a request; it has its answer, if not. */
  boolean admits(HttpServerRequest request) {
    Optional<String> host = hosts.foreign(request);
    if (host.isPresent()) {
      Replies.error(request, 421, host.get());
      return false;
    }
    Optional<String> origin = BrowserOrigin.foreignOrigin(request);
    if (origin.isPresent()) {
      Replies.error(request, 403, origin.get());
      return false;
    }
    if (token != null && !token.isIn(request.getHeader(HttpHeaders.AUTHORIZATION))) {
      request.response().putHeader("WWW-Authenticate", "Bearer");
      Replies.error(request, 401, "Authorization: Bearer with the token for administrators");
      return false;
    }
    return true;
  }
}
