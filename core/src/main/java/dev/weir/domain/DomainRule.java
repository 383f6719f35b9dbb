package dev.weir.domain;

import dev.weir.Limit;
import dev.weir.rule.Rule.WhenStoreFails;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the configuration says about the descriptors that lead to one place in its tree.
 *
 * @param path where it stands, for people: the domain and the keys and values on the way, joined by
 *     dots as in {@code shop.key_value.key}
 * @param rate what is allowed; null if unlimited
 * @param name by which others replace it, and which clients are told; empty if it has none
 * @param replaces the names of those that do not apply where this one does
 * @param shadow whether it counts, and denies nobody
 * @param quota whether a request is denied only if all of its quotas are used up
 * @param detailed whether its metrics are told apart by all values of the request
 * @param metadata told to clients of requests that pass; values are texts, numbers, booleans,
 *     nulls, lists and maps
 * @param priority of several that deny, the one with the highest is told; 0 if it does not say
 */
public record DomainRule(
    String path,
    @Nullable Rate rate,
    String name,
    Set<String> replaces,
    boolean shadow,
    boolean quota,
    boolean detailed,
    Map<String, Object> metadata,
    WhenStoreFails whenStoreFails,
    int priority) {

  /**
   * What is allowed, and how it is told.
   *
   * @param limits what is enforced; several only beyond what the format that this comes from knows;
   *     none if nothing may pass
   * @param requestsPerUnit as it is written
   * @param unit as it is written, or the nearest one to a window of another length
   * @param strict whether these limits are taken all or none with the others of the request; if
   *     not, every request is charged, whatever becomes of it, and only fixed windows can be
   *     counted so
   */
  public record Rate(List<Limit> limits, long requestsPerUnit, Unit unit, boolean strict) {
    public Rate {
      limits = List.copyOf(limits);
    }

    /** So many in each unit, counted in fixed windows; none if that is 0. */
    public static Rate of(long requestsPerUnit, Unit unit, boolean strict) {
      List<Limit> limits =
          requestsPerUnit == 0
              ? List.of()
              : List.of(Limit.fixedWindow(requestsPerUnit, unit.duration()));
      return new Rate(limits, requestsPerUnit, unit, strict);
    }

    private Rate ofRule(String path) {
      List<Limit> its = limits.stream().map(limit -> limit.ofRule("domain " + path)).toList();
      return new Rate(its, requestsPerUnit, unit, strict);
    }

    /** Whether every request is denied, without being counted. */
    public boolean isBlocked() {
      return limits.isEmpty();
    }
  }

  public DomainRule {
    replaces = Set.copyOf(replaces);
    rate = rate == null ? null : rate.ofRule(path);
  }

  public boolean isUnlimited() {
    return rate == null;
  }
}
