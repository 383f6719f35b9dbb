package dev.weir.gateway;

import dev.weir.gateway.upstream.Upstream;
import dev.weir.rules.RulesSnapshot;
import dev.weir.rules.gateway.GatewaySettings;
import dev.weir.rules.gateway.UpstreamSettings;
import io.vertx.core.Vertx;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The plan for the active rules. Upstreams whose settings stay the same keep their connections when
 * the rules change. Thread-safe.
 */
final class Plans implements AutoCloseable {
  private final Vertx vertx;
  private final Supplier<RulesSnapshot> rules;
  private final Optional<UpstreamSettings> fixed;
  private volatile Plan current;

  /**
   * @param fixed the upstream for every request; empty to use those of the rules
   */
  Plans(Vertx vertx, Supplier<RulesSnapshot> rules, Optional<UpstreamSettings> fixed) {
    this.vertx = vertx;
    this.rules = rules;
    this.fixed = fixed;
    RulesSnapshot live = rules.get();
    GatewaySettings settings = settings(live);
    this.current = new Plan(live, settings, upstreams(settings, Map.of()));
  }

  private GatewaySettings settings(RulesSnapshot live) {
    GatewaySettings written = live.rules().gateway();
    return fixed.map(written::withOnly).orElse(written);
  }

  /** The plan for the rules that are active now. */
  Plan current() {
    Plan plan = current;
    return plan.rules() == rules.get() ? plan : change();
  }

  private synchronized Plan change() {
    Plan before = current;
    RulesSnapshot live = rules.get();
    if (before.rules() == live) {
      return before;
    }
    GatewaySettings settings = settings(live);
    Map<UpstreamSettings, Upstream> upstreams = upstreams(settings, before.upstreams());
    Plan after = new Plan(live, settings, upstreams);
    current = after;
    before
        .upstreams()
        .forEach(
            (key, upstream) -> {
              if (!upstreams.containsKey(key)) {
                upstream.close();
              }
            });
    return after;
  }

  private Map<UpstreamSettings, Upstream> upstreams(
      GatewaySettings settings, Map<UpstreamSettings, Upstream> before) {
    Map<UpstreamSettings, Upstream> all = new LinkedHashMap<>();
    for (UpstreamSettings one : settings.upstreams()) {
      Upstream known = before.get(one);
      all.put(one, known == null ? new Upstream(vertx, one) : known);
    }
    return all;
  }

  @Override
  public void close() {
    current.upstreams().values().forEach(Upstream::close);
  }
}
