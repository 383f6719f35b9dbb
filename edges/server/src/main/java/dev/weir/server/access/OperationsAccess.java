package dev.weir.server.access;

import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import org.jspecify.annotations.Nullable;

/**
 * Decides which clients of a port may change counters other than by taking permits: refund, and
 * charge regardless of the limit. Immutable and thread-safe.
 *
 * <p>A client with these operations can lift every limit, or deny every caller. So reaching the
 * traffic port is not enough: it takes a token, a certificate, or the administration port.
 */
public final class OperationsAccess {
  private final boolean unrestricted;
  private final @Nullable BearerToken token;

  private OperationsAccess(boolean unrestricted, @Nullable BearerToken token) {
    this.unrestricted = unrestricted;
    this.token = token;
  }

  /** Allows every client: the port has authenticated it already. */
  public static OperationsAccess everybody() {
    return new OperationsAccess(true, null);
  }

  /** Allows clients that present the token; none, if there is no token. */
  public static OperationsAccess withToken(@Nullable BearerToken token) {
    return new OperationsAccess(false, token);
  }

  /**
   * Checks that the client of a request may perform an operation.
   *
   * @param operation the operation, such as {@code operation: refund}
   * @param elsewhere where it needs no token, such as {@code on the administration port}
   * @throws AccessRefused if it may not
   */
  public void check(HttpServerRequest request, String operation, String elsewhere) {
    if (unrestricted) {
      return;
    }
    if (token == null) {
      String noToken =
          "by an operations token, of which this server has none: --operations-token-file";
      throw new AccessRefused(
          false, operation + " (expected: " + elsewhere + ", or " + noToken + ")");
    }
    if (!token.isIn(request.getHeader(HttpHeaders.AUTHORIZATION))) {
      String header = "Authorization: Bearer with the operations token";
      throw new AccessRefused(
          true, operation + " (expected: " + header + ", or " + elsewhere + ")");
    }
  }
}
