package dev.weir.rules.gateway;

import dev.weir.rule.condition.Condition;
import dev.weir.rule.condition.PathReadings;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What the rules files say beside their rules: where requests go, and which are shed. Immutable.
 *
 * @param upstreams in the order of the files, each name once
 * @param routes in the order of the files; each leads to one of the upstreams
 * @param shedding empty if nothing is shed
 */
public record GatewaySettings(
    List<UpstreamSettings> upstreams, List<Route> routes, Optional<SheddingSettings> shedding) {
  /** Nothing but rules. */
  public static final GatewaySettings NONE =
      new GatewaySettings(List.of(), List.of(), Optional.empty());

  /** The maximum number of upstreams. */
  public static final int MAX_UPSTREAMS = 100;

  /** The maximum number of routes, and that of priorities. */
  public static final int MAX_ROUTES = 1_000;

  /** Copies the lists. */
  public GatewaySettings {
    upstreams = List.copyOf(upstreams);
    routes = List.copyOf(routes);
  }

  /** These settings with one upstream, which gets every request. */
  public GatewaySettings withOnly(UpstreamSettings upstream) {
    return new GatewaySettings(
        List.of(upstream), List.of(new Route(List.of(), upstream.name())), shedding);
  }

  /** The names of the values that routes and priorities read. */
  public Set<String> names() {
    Set<String> names = new LinkedHashSet<>();
    routes.forEach(route -> addNames(route.match(), names));
    shedding.ifPresent(
        settings -> {
          names.add(PriorityTable.METHOD);
          settings.priorities().forEach(one -> addNames(one.match(), names));
        });
    if (names.contains(Condition.Path.NAME)) {
      names.add(PathReadings.NAME);
    }
    return names;
  }

  private static void addNames(List<Condition> conditions, Set<String> names) {
    conditions.forEach(condition -> names.add(condition.name()));
  }
}
