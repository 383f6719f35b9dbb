package dev.weir.domain;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** All domains in force. It never changes; a new version of the configuration is a new book. */
public final class DomainBook {
  /** The book of those who configure no domains. */
  public static final DomainBook EMPTY = new DomainBook(Map.of());

  private final Map<String, Domain> domains;

  private DomainBook(Map<String, Domain> domains) {
    this.domains = Collections.unmodifiableMap(domains);
  }

  /** Domains of different names, in the order of the configuration. */
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

  public Set<String> names() {
    return domains.keySet();
  }

  public Optional<Domain> domain(String name) {
    return Optional.ofNullable(domains.get(name));
  }

  /** All that the domains say, in the order of the configuration. */
  public List<DomainRule> rules() {
    return domains.values().stream().flatMap(domain -> domain.rules().stream()).toList();
  }

  /** How many branches the trees of all domains have. */
  public int size() {
    return domains.values().stream().mapToInt(Domain::size).sum();
  }
}
