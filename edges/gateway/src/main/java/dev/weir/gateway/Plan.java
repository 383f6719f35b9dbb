package dev.weir.gateway;

import dev.weir.Descriptor;
import dev.weir.gateway.upstream.Upstream;
import dev.weir.rules.GatewayHeaders;
import dev.weir.rules.RulesSnapshot;
import dev.weir.rules.gateway.GatewaySettings;
import dev.weir.rules.gateway.RouteTable;
import dev.weir.rules.gateway.UpstreamSettings;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One version of the rules with its routes and upstreams. Immutable and safe for use by any number
 * of threads.
 */
final class Plan {
  private final RulesSnapshot rules;
  private final RouteTable routes;
  private final Map<UpstreamSettings, Upstream> upstreams;
  private final Set<String> trustedHeaders;

  /** The only upstream, if every request goes there. */
  private final @Nullable Upstream only;

  Plan(RulesSnapshot rules, GatewaySettings settings, Map<UpstreamSettings, Upstream> upstreams) {
    this.rules = rules;
    this.routes = RouteTable.of(settings, rules.book().names());
    this.upstreams = Map.copyOf(upstreams);
    this.trustedHeaders = Set.copyOf(GatewayHeaders.of(rules.rules()).trusted());
    this.only = only(settings);
  }

  private @Nullable Upstream only(GatewaySettings settings) {
    if (settings.routes().isEmpty() || !settings.routes().get(0).match().isEmpty()) {
      return null;
    }
    String name = settings.routes().get(0).upstream();
    return upstreams.values().stream()
        .filter(one -> one.settings().name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  RulesSnapshot rules() {
    return rules;
  }

  Map<UpstreamSettings, Upstream> upstreams() {
    return upstreams;
  }

  /** The headers, in lower case, that rules believe from trusted proxies alone. */
  Set<String> trustedHeaders() {
    return trustedHeaders;
  }

  /** The priority of a request, from 0, which is never shed. */
  int priority(Descriptor values) {
    return rules.priorities().priority(values);
  }

  /** The upstream of a request; null if no route matches. */
  @Nullable Upstream route(Descriptor values) {
    return only != null ? only : routes.find(values).map(upstreams::get).orElse(null);
  }
}
