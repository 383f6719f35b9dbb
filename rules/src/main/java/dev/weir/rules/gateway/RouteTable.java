package dev.weir.rules.gateway;

import dev.weir.Descriptor;
import dev.weir.rule.condition.IntList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Finds the upstream of a request: that of the first route whose conditions hold. Immutable and
 * safe for use by any number of threads.
 *
 * <p>Routes compare the values that rules compare. Where servers may read a path in several ways,
 * routes use its first reading, the canonical path; rules apply to every reading. An {@linkplain
 * Descriptor#UNUSABLE unusable} value meets no condition: a client that sends a header twice, or a
 * malformed path, reaches only routes that do not look at it.
 */
public final class RouteTable {
  private final ConditionTable table;
  private final List<UpstreamSettings> upstreams;

  private RouteTable(ConditionTable table, List<UpstreamSettings> upstreams) {
    this.table = table;
    this.upstreams = upstreams;
  }

  /**
   * Compiles routes.
   *
   * @param names of the values of requests; all of {@link GatewaySettings#names()} and perhaps more
   */
  public static RouteTable of(GatewaySettings settings, Descriptor.Names names) {
    Map<String, UpstreamSettings> byName =
        settings.upstreams().stream()
            .collect(Collectors.toMap(UpstreamSettings::name, Function.identity()));
    return new RouteTable(
        new ConditionTable(settings.routes().stream().map(Route::match).toList(), names),
        settings.routes().stream()
            .map(route -> Objects.requireNonNull(byName.get(route.upstream())))
            .toList());
  }

  /** The upstream of the first route that matches; empty if none does. */
  public Optional<UpstreamSettings> find(Descriptor values) {
    Descriptor ordered = table.ordered(values);
    IntList candidates = table.candidates(ordered);
    for (int i = 0; i < candidates.size(); i++) {
      if (table.holds(candidates.get(i), ordered)) {
        return Optional.of(upstreams.get(candidates.get(i)));
      }
    }
    return Optional.empty();
  }
}
