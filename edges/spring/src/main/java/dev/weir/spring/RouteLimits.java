package dev.weir.spring;

import java.util.Set;

/**
 * Rules that routes of a gateway name, which apply to requests of these routes and to no others. An
 * application with a bean of this type may have no rules: its routes may have limits of their own.
 * Implementations are thread-safe.
 */
@FunctionalInterface
public interface RouteLimits {
  /** The names of the rules. */
  Set<String> ruleNames();
}
