package dev.weir.server.access;

import dev.weir.server.access.Operator.Role;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The tokens of the administration port, and the role of each. Immutable and thread-safe. */
public final class RoleTokens {
  private final @Nullable BearerToken operator;
  private final @Nullable BearerToken viewer;

  /**
   * Tokens of these roles.
   *
   * @param operator null if everybody who reaches the port is an operator
   * @param viewer null if there are no viewers
   */
  public RoleTokens(@Nullable BearerToken operator, @Nullable BearerToken viewer) {
    this.operator = operator;
    this.viewer = viewer;
  }

  /** Whether clients need a token or a session. */
  public boolean areRequired() {
    return operator != null;
  }

  /**
   * The role of whoever presents this text; empty if it is not a token. Compares with both tokens
   * in constant time.
   */
  Optional<Role> role(String presented) {
    boolean isOperator = operator != null && operator.matches(presented);
    boolean isViewer = viewer != null && viewer.matches(presented);
    if (isOperator) {
      return Optional.of(Role.OPERATOR);
    }
    return isViewer ? Optional.of(Role.VIEWER) : Optional.empty();
  }
}
