package dev.weir.server.access;

import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import org.jspecify.annotations.Nullable;

/**
 * Who may change counters on a port in other ways than by asking to pass: give back, and charge
 * whether or not there is room.
 *
 * <p>Whoever may do that lifts every limit, or denies everybody. So it takes more than to reach the
 * port for traffic: a token, a certificate, or the port for administration.
 */
public final class OperationsAccess {
  private final boolean everybody;
  private final @Nullable BearerToken token;

  private OperationsAccess(boolean everybody, @Nullable BearerToken token) {
    this.everybody = everybody;
    this.token = token;
  }

  /** Everybody who gets as far as this port: who they are has been looked at. */
  public static OperationsAccess everybody() {
    return new OperationsAccess(true, null);
  }

  /** Those who show a token; nobody, where there is none. */
  public static OperationsAccess withToken(@Nullable BearerToken token) {
    return new OperationsAccess(false, token);
  }

  /**
   * Looks whether whoever sent a request may do what it asks for.
   *
   * @param operation what is asked for, such as {@code operation: refund}
   * @param elsewhere where it needs no token, such as {@code on the administration port}
   * @throws AccessRefused if not
   */
  public void check(HttpServerRequest request, String operation, String elsewhere) {
    if (everybody) {
      return;
    }
    if (token == null) {
      String none =
          "by an operations token, of which this server has none: --operations-token-file";
      throw new AccessRefused(false, operation + " (expected: " + elsewhere + ", or " + none + ")");
    }
    if (!token.isIn(request.getHeader(HttpHeaders.AUTHORIZATION))) {
      String shown = "Authorization: Bearer with the operations token";
      throw new AccessRefused(true, operation + " (expected: " + shown + ", or " + elsewhere + ")");
    }
  }
}
