package dev.weir.rules.domain;

import dev.weir.Limit;
import dev.weir.rule.FailureMode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Domains for tests: paths of keys with any value, and the limits at their ends. */
public final class TestDomains {
  private TestDomains() {}

  public static DomainBook book(String name, At... nodes) {
    return DomainBook.of(List.of(Domain.of(name, branches(name, List.of(nodes), 0))));
  }

  /** A domain in which a denied request is not charged at all. */
  public static DomainBook allOrNone(String name, At... nodes) {
    return DomainBook.of(List.of(Domain.of(name, branches(name, List.of(nodes), 0), true)));
  }

  /** The limit of descriptors with these keys. */
  public static At at(String... keys) {
    return new At(List.of(keys));
  }

  /** A node of a domain, with a limit of nothing until one is set. */
  public static final class At {
    private final List<String> keys;
    private DomainRule.Rate rate = new DomainRule.Rate(List.of(), 0, Unit.YEAR, false);
    private boolean unlimited;
    private String name = "";
    private Set<String> replaces = Set.of();
    private boolean shadow;
    private boolean quota;
    private boolean shared;
    private Map<String, Object> metadata = Map.of();
    private FailureMode whenStoreFails = FailureMode.ALLOW;
    private int priority;

    private At(List<String> keys) {
      this.keys = keys;
    }

    public At per(long requests, Unit unit) {
      Limit limit = Limit.fixedWindow(requests, unit.duration());
      rate = new DomainRule.Rate(List.of(limit), requests, unit, false);
      return this;
    }

    public At strict(Limit... limits) {
      Unit unit = Unit.nearest(limits[0].window());
      rate = new DomainRule.Rate(List.of(limits), limits[0].permits(), unit, true);
      return this;
    }

    public At each(Limit... limits) {
      Unit unit = Unit.nearest(limits[0].window());
      rate = new DomainRule.Rate(List.of(limits), limits[0].permits(), unit, false);
      return this;
    }

    public At closed(Unit unit, boolean strict) {
      rate = new DomainRule.Rate(List.of(), 0, unit, strict);
      return this;
    }

    public At unlimited() {
      unlimited = true;
      return this;
    }

    public At named(String given) {
      name = given;
      return this;
    }

    public At replacing(String... names) {
      replaces = Set.of(names);
      return this;
    }

    public At shadow() {
      shadow = true;
      return this;
    }

    public At quota() {
      quota = true;
      return this;
    }

    /** All values share one counter. */
    public At shared() {
      shared = true;
      return this;
    }

    public At saying(Map<String, Object> given) {
      metadata = given;
      return this;
    }

    public At whenStoreFails(FailureMode then) {
      whenStoreFails = then;
      return this;
    }

    public At priority(int given) {
      priority = given;
      return this;
    }

    private DomainRule rule(String domain) {
      String path = domain + "." + String.join(".", keys);
      DomainRule.Rate allowed = unlimited ? null : rate;
      return new DomainRule(
          path,
          allowed,
          name,
          replaces,
          new DomainRule.Enforcement(shadow, quota, whenStoreFails),
          new DomainRule.Reporting(false, metadata, priority));
    }
  }

  /** The branches at one depth, with their children. */
  private static List<Branch> branches(String domain, List<At> nodes, int depth) {
    Map<String, List<At>> byKey = new LinkedHashMap<>();
    for (At place : nodes) {
      byKey.computeIfAbsent(place.keys.get(depth), key -> new ArrayList<>()).add(place);
    }
    List<Branch> branches = new ArrayList<>();
    byKey.forEach(
        (key, some) -> {
          Optional<At> here = some.stream().filter(at -> at.keys.size() == depth + 1).findFirst();
          List<At> below = some.stream().filter(at -> at.keys.size() > depth + 1).toList();
          boolean shared = some.stream().anyMatch(at -> at.shared);
          branches.add(
              new Branch(
                  key,
                  shared ? "*" : "",
                  shared,
                  false,
                  here.map(at -> at.rule(domain)).orElse(null),
                  below.isEmpty() ? List.of() : branches(domain, below, depth + 1)));
        });
    return branches;
  }

  /** Entries of alternating keys and values. */
  public static List<Entry> entries(String... words) {
    List<Entry> entries = new ArrayList<>();
    for (int i = 0; i < words.length; i += 2) {
      entries.add(new Entry(words[i], words[i + 1]));
    }
    return entries;
  }
}
