package dev.weir.server.reply;

import dev.weir.server.access.AllowedHosts;
import dev.weir.server.access.BearerToken;
import dev.weir.server.access.BrowserOrigin;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Admits authorized requests on an operator port and rejects all others. Immutable, thread-safe.
 */
public final class AdminGuard {
  private final AllowedHosts hosts;
  private final @Nullable BearerToken token;

  /**
   * Guards a port.
   *
   * @param hosts the names under which the port may be addressed
   * @param token the token that clients must present; null for none
   */
  public AdminGuard(AllowedHosts hosts, @Nullable BearerToken token) {
    this.hosts = hosts;
    this.token = token;
  }

  /** Whether the edge should handle the request; if not, it has been answered with an error. */
  public boolean admits(HttpServerRequest request) {
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
