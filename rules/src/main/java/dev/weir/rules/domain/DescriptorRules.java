package dev.weir.rules.domain;

import dev.weir.Descriptor;
import dev.weir.rule.Identity;
import dev.weir.rule.Rule;
import dev.weir.rule.action.CallerActions;
import dev.weir.rule.book.Match;
import dev.weir.rule.book.RuleBook;
import dev.weir.rule.condition.Condition;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The rules that apply to descriptors of Envoy's rate limit service: the domains, and those of our
 * own rules that read a domain or an entry. A rule that reads neither is about other requests; if
 * it applied, all descriptors would share its limit.
 *
 * <p>Immutable: compiled once for each version of the rules.
 */
public final class DescriptorRules {
  /** The value under which our own rules find the domain. */
  private static final String DOMAIN = "domain";

  private static final String ENTRY = "entry ";

  private final DomainBook domains;
  private final RuleBook book;
  private final @Nullable Integer domainAt;
  private final Map<String, Integer> entryAt = new HashMap<>();

  private DescriptorRules(DomainBook domains, RuleBook book) {
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

  /** Compiles the rules that apply to descriptors. */
  public static DescriptorRules of(DomainBook domains, RuleBook book) {
    return new DescriptorRules(domains, book.subset(DescriptorRules::readsDescriptors));
  }

  private static boolean readsDescriptors(Rule rule) {
    return rule.match().stream().map(Condition::name).anyMatch(DescriptorRules::isOfDescriptor)
        || rule.per().stream()
            .map(Identity::alternatives)
            .flatMap(List::stream)
            .flatMap(List::stream)
            .anyMatch(DescriptorRules::isOfDescriptor);
  }

  private static boolean isOfDescriptor(String name) {
    return name.equals(DOMAIN) || name.startsWith(ENTRY);
  }

  /** The callers whom operators have blocked or exempted. */
  public CallerActions actions() {
    return book.actions();
  }

  /** The limits by domain. */
  public DomainBook domains() {
    return domains;
  }

  /** The charges of our own rules for a descriptor. */
  public Optional<Match> match(String domain, List<Entry> entries) {
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
