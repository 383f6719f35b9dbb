package dev.weir.rules.domain;

import dev.weir.Limit;
import dev.weir.rule.FailureMode;
import dev.weir.rule.Multiple;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the configuration says about the descriptors that lead to one node of its tree.
 *
 * @param path of the node, for people: the domain and the keys and values down to it, joined by
 *     dots as in {@code shop.key_value.key}
 * @param rate what is allowed; null if unlimited
 * @param name by which other rules replace it, and which replies contain; empty if it has none
 * @param replaces the names of rules that do not apply where this one does
 * @param enforcement how it is enforced
 * @param reporting what replies and metrics say of it
 */
public record DomainRule(
    String path,
    @Nullable Rate rate,
    String name,
    Set<String> replaces,
    Enforcement enforcement,
    Reporting reporting) {

  /**
   * How a rule is enforced.
   *
   * @param shadow whether it counts requests without denying any
   * @param quota whether a request is denied only if all of its quotas are used up
   * @param failureMode what happens to requests while the store fails
   */
  public record Enforcement(boolean shadow, boolean quota, FailureMode failureMode) {

    /** Denies what is over the limit. */
    public static Enforcement of(FailureMode failureMode) {
      return new Enforcement(false, false, failureMode);
    }
  }

  /**
   * What replies and metrics say of a rule.
   *
   * @param detailed whether the names of its metrics contain all values of the request
   * @param metadata sent in replies to requests that pass; values are texts, numbers, booleans,
   *     nulls, lists and maps
   * @param priority of several rules that deny, the reply names the one with the highest; 0 by
   *     default
   */
  public record Reporting(boolean detailed, Map<String, Object> metadata, int priority) {

    /** Nothing but its name. */
    public static final Reporting PLAIN = new Reporting(false, Map.of(), 0);
  }

  /**
   * What is allowed, and how replies state it.
   *
   * @param limits that are enforced; Envoy's format knows one only; none if nothing may pass
   * @param requestsPerUnit as configured
   * @param unit as configured, or the nearest one to a window of another length
   * @param strict whether these limits are taken all or none with the others of the request; if
   *     not, every request is charged, even a denied one, which only fixed windows support
   */
  public record Rate(List<Limit> limits, long requestsPerUnit, Unit unit, boolean strict) {
    /** Copies the list. */
    public Rate {
      limits = List.copyOf(limits);
    }

    /** A rate counted in fixed windows of one unit; 0 requests block everything. */
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

    private Rate times(Multiple factor) {
      List<Limit> scaled = limits.stream().map(factor::of).toList();
      long requests =
          scaled.size() == 1 && limits.get(0).permits() == requestsPerUnit
              ? scaled.get(0).permits()
              : factor.of(requestsPerUnit);
      return new Rate(scaled, requests, unit, strict);
    }

    /** Whether every request is denied, without being counted. */
    public boolean isBlocked() {
      return limits.isEmpty();
    }
  }

  /** Copies the set, and names the limits after the path. */
  public DomainRule {
    replaces = Set.copyOf(replaces);
    rate = rate == null ? null : rate.ofRule(path);
  }

  /** Whether every request passes. */
  public boolean isUnlimited() {
    return rate == null;
  }

  /**
   * This rule with a multiple of its limits, counted in the same counters. What is blocked or
   * unlimited stays so.
   *
   * @throws IllegalArgumentException if that leaves less than one permit, or more than can be
   *     counted
   */
  public DomainRule times(Multiple factor) {
    Rate scaled = rate == null || rate.isBlocked() ? rate : rate.times(factor);
    return new DomainRule(path, scaled, name, replaces, enforcement, reporting);
  }

  /** This rule in shadow mode: it counts as before, and denies nothing. */
  public DomainRule asShadow() {
    Enforcement shadow = new Enforcement(true, enforcement.quota(), enforcement.failureMode());
    return new DomainRule(path, rate, name, replaces, shadow, reporting);
  }
}
