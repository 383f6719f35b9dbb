package dev.weir.server.access;

/**
 * Who sent a request to the administration port. Immutable.
 *
 * @param name how the person or program names itself
 * @param role what it may do
 * @param address the IP address it sent the request from
 */
public record Operator(String name, Role role, String address) {
  /** What an operator may do; each role includes those before it. */
  public enum Role {
    /** May read pages and ask for explanations. */
    VIEWER,
    /** May do everything. */
    OPERATOR
  }
}
