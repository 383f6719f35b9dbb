package dev.weir.server.settings;

import dev.weir.server.access.AllowedHosts;
import dev.weir.server.access.BearerToken;
import java.nio.file.Path;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The administration port. Immutable.
 *
 * @param host the address to listen on
 * @param port 0 for any free port
 * @param tokens what clients must present; there may be none on a loopback address only
 * @param names the host names under which clients may address it, beside its address
 * @param auditLog the file of the audit log; null for the service's log
 * @param revealCallers whether to keep what identifies the heaviest callers, for operators to
 *     reveal
 */
public record AdminSettings(
    String host,
    int port,
    Tokens tokens,
    Set<String> names,
    @Nullable Path auditLog,
    boolean revealCallers) {

  /**
   * The tokens, of which each may be missing. Immutable.
   *
   * @param operator what administrators must present; null if everybody who reaches the
   *     administration port is one
   * @param viewer what clients may present who may only read there; null for none
   * @param operations the token that allows refunds and charges on the other ports; null for none
   */
  public record Tokens(
      @Nullable String operator, @Nullable String viewer, @Nullable String operations) {
    /** No tokens. */
    public static final Tokens NONE = new Tokens(null, null, null);

    /**
     * Checks the tokens. No message contains one.
     *
     * @throws IllegalArgumentException if one is not valid
     */
    public Tokens {
      if (viewer != null) {
        BearerToken.check(viewer);
        if (operator == null) {
          throw new IllegalArgumentException(
              "viewer token: alone (expected: a token for administrators too)");
        }
        if (viewer.equals(operator)) {
          throw new IllegalArgumentException(
              "viewer token: that of administrators (expected: another one)");
        }
      }
      if (operations != null) {
        BearerToken.check(operations);
      }
    }

    /** Never the tokens. */
    @Override
    public String toString() {
      return "tokens";
    }
  }

  /**
   * Checks the values.
   *
   * @throws IllegalArgumentException if one is not valid, or if the token is missing
   */
  public AdminSettings {
    names = Set.copyOf(names);
    names.forEach(AllowedHosts::checkName);
    ServerSettings.checkPort("admin port", port, 0);
    if (tokens.operator == null && !ServerSettings.isLoopback(host)) {
      String expected = "a loopback address, or a token for administrators";
      throw new IllegalArgumentException("admin host: " + host + " (expected: " + expected + ")");
    }
  }

  AdminSettings withPort(int other) {
    return new AdminSettings(host, other, tokens, names, auditLog, revealCallers);
  }

  AdminSettings withHost(String other, Tokens newTokens) {
    return new AdminSettings(other, port, newTokens, names, auditLog, revealCallers);
  }

  AdminSettings withNames(Set<String> others) {
    return new AdminSettings(host, port, tokens, others, auditLog, revealCallers);
  }

  AdminSettings withAuditLog(@Nullable Path file) {
    return new AdminSettings(host, port, tokens, names, file, revealCallers);
  }

  AdminSettings withRevealCallers() {
    return new AdminSettings(host, port, tokens, names, auditLog, true);
  }
}
