package dev.weir.server.reply;

import dev.weir.server.access.AllowedHosts;
import dev.weir.server.access.BrowserOrigin;
import dev.weir.server.access.MediaType;
import io.vertx.core.http.HttpServerRequest;
import java.util.Optional;

/** Rejects bodies that a page of another site may have sent. Immutable and thread-safe. */
public final class CrossSiteGuard {
  private final AllowedHosts hosts;

  /**
   * Guards a port.
   *
   * @param hosts the names under which a browser may know this port
   */
  public CrossSiteGuard(AllowedHosts hosts) {
    this.hosts = hosts;
  }

  /** Whether to read the JSON body; if not, the request has been answered with an error. */
  public boolean admitsJson(HttpServerRequest request) {
    return admits(request) && passes(request, 415, MediaType.notJson(request));
  }

  /** Like {@link #admitsJson}, for a body of any declared media type. */
  public boolean admits(HttpServerRequest request) {
    return passes(request, 403, BrowserOrigin.foreign(request, hosts));
  }

  private static boolean passes(HttpServerRequest request, int status, Optional<String> problem) {
    problem.ifPresent(detail -> Replies.error(request, status, detail));
    return problem.isEmpty();
  }
}
