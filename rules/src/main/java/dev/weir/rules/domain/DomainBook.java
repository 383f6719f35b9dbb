package dev.weir.rules.domain;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * All domains of one version of the configuration, by name. Immutable and safe for concurrent use.
 */
public final class DomainBook {
  /** The book without domains. */
  public static final DomainBook EMPTY = new DomainBook(Map.of());

  private final Map<String, Domain> domains;

  private DomainBook(Map<String, Domain> domains) {
    this.domains = Collections.unmodifiableMap(domains);
  }

  /**
   * A book of domains, in the order of the configuration.
   *
   * @throws IllegalArgumentException if two have the same name
   */
  public static DomainBook of(List<Domain> domains) {
    Map<String, Domain> byName = new LinkedHashMap<>();
    for (Domain domain : domains) {
      if (byName.put(domain.name(), domain) != null) {
        throw new IllegalArgumentException(
            "domain: " + domain.name() + " (expected: each domain once)");
      }
    }
    return new DomainBook(byName);
  }

  /**
   * This book with some of its rules replaced, which keep their counters; the same object if there
   * are none of them.
   *
   * @param adjusted the rules to replace, by the object: rules of two domains may be equal
   */
  public DomainBook adjusted(IdentityHashMap<DomainRule, DomainRule> adjusted) {
    if (adjusted.isEmpty()) {
      return this;
    }
    Map<String, Domain> all = new LinkedHashMap<>(domains);
    all.replaceAll((name, domain) -> domain.adjusted(adjusted));
    return new DomainBook(all);
  }

  /** The names of all domains. */
  public Set<String> names() {
    return domains.keySet();
  }

  /** The domain of that name, if it is configured. */
  public Optional<Domain> domain(String name) {
    return Optional.ofNullable(domains.get(name));
  }

  /** The rules of all domains, in the order of the configuration. */
  public List<DomainRule> rules() {
    return domains.values().stream().flatMap(domain -> domain.rules().stream()).toList();
  }

  /** The number of branches in the trees of all domains. */
  public int size() {
    return domains.values().stream().mapToInt(Domain::size).sum();
  }
}
