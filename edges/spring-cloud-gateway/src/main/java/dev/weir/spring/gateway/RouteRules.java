package dev.weir.spring.gateway;

import dev.weir.spring.RouteLimits;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The rules that routes have named since the start. Thread-safe. */
final class RouteRules implements RouteLimits {
  private final Set<String> names = ConcurrentHashMap.newKeySet();

  void add(String rule) {
    names.add(rule);
  }

  @Override
  public Set<String> ruleNames() {
    return names;
  }
}
