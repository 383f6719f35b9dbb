package dev.weir.server.reply;

import dev.weir.server.access.AccessRefused;
import dev.weir.server.access.Authenticator;
import dev.weir.server.access.Operator;
import dev.weir.server.access.Operator.Role;
import io.vertx.core.http.HttpServerRequest;
import java.util.Optional;

/**
 * Admits authorized requests on the administration port and rejects all others. Immutable,
 * thread-safe.
 */
public final class AdminGuard {
  private final BrowserGuard browsers;
  private final Authenticator authenticator;

  /**
   * Guards a port.
   *
   * @param browsers rejects requests for pages of other sites
   * @param authenticator finds out who sent a request
   */
  public AdminGuard(BrowserGuard browsers, Authenticator authenticator) {
    this.browsers = browsers;
    this.authenticator = authenticator;
  }

  /**
   * Who sent a request; empty if it must not be handled, and then it has been answered with an
   * error.
   *
   * @param needed the role that the request needs
   */
  public Optional<Operator> admit(HttpServerRequest request, Role needed) {
    if (!browsers.admits(request)) {
      return Optional.empty();
    }
    try {
      Operator who = authenticator.require(request);
      if (who.role().includes(needed)) {
        return Optional.of(who);
      }
      String expected = needed.label() + ", by the token for administrators";
      String actual = "role: " + who.role().label();
      Replies.error(request, 403, actual + " (expected: " + expected + ")");
    } catch (AccessRefused e) {
      Replies.refused(request, e);
    } catch (IllegalArgumentException e) {
      Replies.error(request, 400, String.valueOf(e.getMessage()));
    }
    return Optional.empty();
  }

  /**
   * Whether to handle a request of anybody, such as one for the page that asks for a token; if not,
   * it has been answered with an error.
   */
  public boolean admitsAnybody(HttpServerRequest request) {
    return browsers.admits(request);
  }

  /**
   * Whether the sender of an admitted request, whose response is a stream, may go on reading it: no
   * longer once the session has ended. Counts as a use of the session.
   */
  public boolean stillAdmits(HttpServerRequest request, Role needed) {
    return authenticator.isStill(request, needed);
  }
}
