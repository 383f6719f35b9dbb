package dev.weir.server.rls;

/** How a limit and the other limits of its request depend on each other. */
enum Role {
  /** Denies the request by itself. Charged together with the others, or not at all. */
  REQUIRED,
  /** Denies the request only if all its quotas are exhausted. Charged if the request passes. */
  QUOTA,
  /** Denies nothing. Charged if the request passes. */
  SHADOW,
  /** Charged by itself, whatever becomes of the request. */
  INDEPENDENT
}
