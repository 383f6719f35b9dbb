package dev.weir.server.rls;

import dev.weir.Descriptor;
import dev.weir.domain.DomainBook;
import dev.weir.domain.Entry;
import dev.weir.key.KeySpace;
import dev.weir.rule.Condition;
import dev.weir.rule.Identity;
import dev.weir.rule.Match;
import dev.weir.rule.Rule;
import dev.weir.rule.RuleBook;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One version of all that decides: the domains, and those of our own rules that speak of a domain
 * or an entry. A rule that speaks of neither is about requests of another kind, in which a
 * descriptor has no say; were it to apply, all descriptors would share what it allows.
 */
public final class RlsRules {
  /** The value under which our own rules find the domain. */
  static final String DOMAIN = "domain";

  private static final String ENTRY = "entry ";

  private final DomainBook domains;
  private final RuleBook book;
  private final @Nullable Integer domainAt;
  private final Map<String, Integer> entryAt = new HashMap<>();

  private RlsRules(DomainBook domains, RuleBook book) {
    this.domains = domains;
    this.book = book;
    List<String> names = book.names().list();
    for (int i = 0; i < names.size(); i++) {
      if (names.get(i).startsWith(ENTRY)) {
        entryAt.put(names.get(i).substring(ENTRY.length()), i);
      }
    }
    int at = names.indexOf(DOMAIN);
    this.domainAt = at < 0 ? null : at;
  }

  /**
   * All that decides in one version of the rules.
   *
   * @param keys the ones that {@code book} was made with, so that a counter is the same whoever
   *     asks for it
   */
  public static RlsRules of(DomainBook domains, RuleBook book, KeySpace keys) {
    List<Rule> spoken = book.rules().stream().filter(RlsRules::speaksOfDescriptors).toList();
    return new RlsRules(domains, RuleBook.of(spoken, keys));
  }

  private static boolean speaksOfDescriptors(Rule rule) {
    return rule.match().stream().map(Condition::name).anyMatch(RlsRules::isOfDescriptor)
        || rule.per().stream()
            .map(Identity::alternatives)
            .flatMap(List::stream)
            .flatMap(List::stream)
            .anyMatch(RlsRules::isOfDescriptor);
  }

  private static boolean isOfDescriptor(String name) {
    return name.equals(DOMAIN) || name.startsWith(ENTRY);
  }

  DomainBook domains() {
    return domains;
  }

  /** What our own rules make of a descriptor. */
  Optional<Match> match(String domain, List<Entry> entries) {
    if (book.rules().isEmpty() || entries.isEmpty()) {
      return Optional.empty();
    }
    @Nullable String[] values = new @Nullable String[book.names().size()];
    if (domainAt != null) {
      values[domainAt] = domain;
    }
    for (Entry entry : entries) {
      Integer at = entryAt.get(entry.key());
      if (at != null) {
        // Who says two things under one name is not to choose which of them counts.
        boolean first = values[at] == null || entry.value().equals(values[at]);
        values[at] = first ? entry.value() : Descriptor.UNUSABLE;
      }
    }
    return Optional.of(book.match(Descriptor.of(book.names(), values)));
  }
}
