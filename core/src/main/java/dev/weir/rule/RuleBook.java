package dev.weir.rule;

import dev.weir.Descriptor;
import dev.weir.key.KeySpace;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * All rules in force, compiled: turns a request into claims. It never changes; a new version of the
 * rules is a new book.
 *
 * <p>Every rule that matches applies. What a book reads of a request is told by {@link #names()};
 * an edge that gives its values in that order saves the book a translation.
 */
public final class RuleBook {
  /** The most rules a book may have. */
  public static final int MAX_RULES = 100_000;

  private final List<Rule> rules;
  private final Descriptor.Names names;
  private final CompiledRule[] compiled;
  private final ConditionIndex index;
  private final int owners;

  private RuleBook(List<Rule> rules, KeySpace keys) {
    if (rules.size() > MAX_RULES) {
      String expected = "at most " + MAX_RULES;
      throw new IllegalArgumentException(
          "rules: " + rules.size() + " (expected: " + expected + ")");
    }
    Set<String> seen = new HashSet<>();
    for (Rule rule : rules) {
      if (!seen.add(rule.name())) {
        throw new IllegalArgumentException("name: " + rule + " (expected: each name once)");
      }
    }
    this.rules = List.copyOf(rules);
    this.names = names(rules);
    // Rules that count by the same identity share the work of hashing it.
    Map<List<Identity>, Integer> identities = new HashMap<>();
    this.index = new ConditionIndex(this.rules.stream().map(Rule::match).toList(), names);
    this.compiled = new CompiledRule[rules.size()];
    for (int i = 0; i < compiled.length; i++) {
      List<Identity> per = rules.get(i).per();
      identities.putIfAbsent(per, identities.size());
      int owner = identities.get(per);
      compiled[i] = new CompiledRule(rules.get(i), index.filed(i), names, owner, keys);
    }
    this.owners = identities.size();
  }

  /** A book whose counters get their keys from {@code keys}; rules with the same name, the same. */
  public static RuleBook of(List<Rule> rules, KeySpace keys) {
    return new RuleBook(rules, keys);
  }

  private static Descriptor.Names names(List<Rule> rules) {
    Set<String> names = new LinkedHashSet<>();
    rules.forEach(rule -> addNames(rule, names));
    if (names.contains(Condition.Path.NAME)) {
      names.add(PathReadings.NAME);
    }
    return Descriptor.Names.of(List.copyOf(names));
  }

  /** Adds what a rule reads of a request. */
  static void addNames(Rule rule, Set<String> names) {
    for (Condition condition : rule.match()) {
      names.add(condition.name());
    }
    rule.per().forEach(one -> one.alternatives().forEach(names::addAll));
    rule.specials().forEach(one -> one.callers().values().forEach(of -> names.add(of.name())));
    rule.tiers().map(Tiers::value).ifPresent(names::add);
    rule.tiers().map(Tiers::table).stream()
        .flatMap(List::stream)
        .forEach(one -> one.callers().values().forEach(of -> names.add(of.name())));
    if (rule.cost().value() != null) {
      names.add(rule.cost().value());
    }
  }

  public List<Rule> rules() {
    return rules;
  }

  /** What the rules read of a request. */
  public Descriptor.Names names() {
    return names;
  }

  /** The rules that read values with such names; compiled, so ask for it once. */
  public ValueReaders readersOf(Predicate<String> wanted) {
    return new ValueReaders(this, wanted);
  }

  /**
   * The claims of a request that nobody will say is over: limits on what is in flight are left out,
   * because nobody would release them.
   */
  public Match match(Descriptor descriptor) {
    return match(descriptor, 0);
  }

  /**
   * The claims of a request.
   *
   * @param permit names this request among those in flight, if it is not 0
   */
  public Match match(Descriptor descriptor, long permit) {
    Request request = new Request(descriptor.as(names), owners, permit);
    Hits hits = index.find(request.descriptor);
    Match match = new Match();
    for (int i = 0; i < hits.size(); i++) {
      CompiledRule rule = compiled[hits.get(i)];
      if (rule.matches(request.descriptor)) {
        rule.claim(request, match);
      }
    }
    return match;
  }

  /** What each rule makes of a request and why, in the order of the rules. */
  public List<Explanation> explain(Descriptor descriptor, long permit) {
    Request request = new Request(descriptor.as(names), owners, permit);
    List<Explanation> explanations = new ArrayList<>();
    for (CompiledRule rule : compiled) {
      explanations.add(rule.explain(request));
    }
    return explanations;
  }
}
