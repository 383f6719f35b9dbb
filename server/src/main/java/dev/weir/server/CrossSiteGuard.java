package dev.weir.server;

import dev.weir.server.access.AllowedHosts;
import dev.weir.server.access.BrowserOrigin;
import dev.weir.server.access.MediaType;
import io.vertx.core.http.HttpServerRequest;
import java.util.Optional;

/** Lets bodies pass that no page of another site could have sent, and answers all others. */
final class CrossSiteGuard {
  private final AllowedHosts hosts;

  /**
   * @param hosts by which a browser may know this port
   */
  CrossSiteGuard(AllowedHosts hosts) {
    this.hosts = hosts;
  }

  /** Whether to read the JSON of a request; it has its answer, if not. */
  boolean admitsJson(HttpServerRequest request) {
    return admits(request) && isFine(request, 415, MediaType.notJson(request));
  }

  /** Whether to read the body of a request, whatever it is said to be. */
  boolean admits(HttpServerRequest request) {
    return isFine(request, 403, BrowserOrigin.foreign(request, hosts));
  }

  private static boolean isFine(HttpServerRequest request, int status, Optional<String> why) {
    why.ifPresent(detail -> Replies.error(request, status, detail));
    return why.isEmpty();
  }
}
