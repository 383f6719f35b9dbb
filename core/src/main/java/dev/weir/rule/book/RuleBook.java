package dev.weir.rule.book;

import dev.weir.Descriptor;
import dev.weir.internal.Rejections;
import dev.weir.key.KeySpace;
import dev.weir.rule.CallerLimits;
import dev.weir.rule.Identity;
import dev.weir.rule.ResponseCost;
import dev.weir.rule.Rule;
import dev.weir.rule.Tiers;
import dev.weir.rule.action.CallerActions;
import dev.weir.rule.condition.Condition;
import dev.weir.rule.condition.ConditionIndex;
import dev.weir.rule.condition.IntList;
import dev.weir.rule.condition.PathReadings;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * All active rules, compiled: turns a request into charges. A book is immutable and safe for use by
 * any number of threads; a new version of the rules is a new book.
 *
 * <p>Every rule that matches applies. {@link #names()} lists the values that the rules read; an
 * edge that provides values in that order saves the book a translation.
 */
public final class RuleBook {
  /** The maximum number of rules in a book. */
  public static final int MAX_RULES = 100_000;

  private final List<Rule> rules;
  private final KeySpace keys;
  private final Descriptor.Names names;
  private final CompiledRule[] compiled;
  private final IdentityHashMap<Rule, CompiledRule> byRule = new IdentityHashMap<>();
  private final ConditionIndex index;
  private final int owners;
  private final CallerActions actions;

  private RuleBook(List<Rule> rules, KeySpace keys, Set<String> alsoRead, CallerActions actions) {
    if (rules.size() > MAX_RULES) {
      throw Rejections.of("rules", rules.size(), "at most " + MAX_RULES);
    }
    Set<String> seen = new HashSet<>();
    for (Rule rule : rules) {
      if (!seen.add(rule.name())) {
        throw Rejections.of("name", rule, "each name once");
      }
    }
    this.rules = List.copyOf(rules);
    this.keys = keys;
    this.names = names(rules, alsoRead);
    // Rules that count by the same identity share the work of hashing it.
    Map<List<Identity>, Integer> identities = new HashMap<>();
    this.index = new ConditionIndex(this.rules.stream().map(Rule::match).toList(), names);
    this.compiled = new CompiledRule[rules.size()];
    for (int i = 0; i < compiled.length; i++) {
      List<Identity> per = rules.get(i).per();
      identities.putIfAbsent(per, identities.size());
      int owner = identities.get(per);
      compiled[i] = new CompiledRule(rules.get(i), index.indexedBy(i), names, owner, keys);
      byRule.put(rules.get(i), compiled[i]);
    }
    this.owners = identities.size();
    this.actions = actions;
  }

  private RuleBook(RuleBook other, List<Rule> rules, CallerActions actions) {
    this.rules = rules;
    this.keys = other.keys;
    this.names = other.names;
    this.index = other.index;
    this.compiled = other.compiled.clone();
    this.owners = other.owners;
    this.actions = actions;
  }

  /**
   * Compiles rules.
   *
   * @param keys derives the keys of counters; rules with the same name get the same keys
   * @throws IllegalArgumentException if two rules have the same name, or there are too many
   */
  public static RuleBook of(List<Rule> rules, KeySpace keys) {
    return new RuleBook(rules, keys, Set.of(), CallerActions.NONE);
  }

  /**
   * Compiles rules for an edge that reads more values of a request than they do.
   *
   * @param alsoRead the names of these values, which {@link #names()} then has too
   * @throws IllegalArgumentException if two rules have the same name, or there are too many
   */
  public static RuleBook of(List<Rule> rules, KeySpace keys, Set<String> alsoRead) {
    return new RuleBook(rules, keys, alsoRead, CallerActions.NONE);
  }

  private static Descriptor.Names names(List<Rule> rules, Set<String> alsoRead) {
    Set<String> names = new LinkedHashSet<>();
    rules.forEach(rule -> addNames(rule, names));
    names.addAll(alsoRead);
    if (names.contains(Condition.Path.NAME)) {
      names.add(PathReadings.NAME);
    }
    return Descriptor.Names.of(List.copyOf(names));
  }

  /** Adds the names of the values that a rule reads. */
  static void addNames(Rule rule, Set<String> names) {
    for (Condition condition : rule.match()) {
      names.add(condition.name());
    }
    rule.per().forEach(one -> one.alternatives().forEach(names::addAll));
    rule.overrides().forEach(one -> one.callers().values().forEach(of -> names.add(of.name())));
    rule.tiers().map(Tiers::value).ifPresent(names::add);
    rule.tiers().map(Tiers::table).stream()
        .flatMap(List::stream)
        .forEach(one -> one.callers().values().forEach(of -> names.add(of.name())));
    if (rule.cost().value() != null) {
      names.add(rule.cost().value());
    }
    if (rule.cost().readsModel()) {
      names.add(ResponseCost.MODEL);
    }
  }

  /**
   * This book while operators adjust some of its rules, and block or exempt callers. Only those
   * rules are compiled: the book reads the same values, and counts in the same counters.
   *
   * @param adjusted the rules that differ, by name, as {@link dev.weir.rule.action.AdjustedRule}
   *     makes them; names of no rule are ignored
   */
  public RuleBook adjusted(Map<String, Rule> adjusted, CallerActions callers) {
    List<Rule> all = new ArrayList<>(rules);
    all.replaceAll(rule -> adjusted.getOrDefault(rule.name(), rule));
    RuleBook book = new RuleBook(this, List.copyOf(all), callers);
    for (int i = 0; i < compiled.length; i++) {
      if (adjusted.containsKey(rules.get(i).name())) {
        book.compiled[i] = compiled[i].withRule(all.get(i), index.indexedBy(i), names);
      }
      book.byRule.put(all.get(i), book.compiled[i]);
    }
    return book;
  }

  /** A book of some of the rules, with the same counters and the same actions on callers. */
  public RuleBook subset(Predicate<Rule> wanted) {
    return new RuleBook(rules.stream().filter(wanted).toList(), keys, Set.of(), actions);
  }

  /**
   * A book of other rules, whose keys come from the same key space, without actions on callers.
   *
   * @throws IllegalArgumentException if two rules have the same name, or there are too many
   */
  public RuleBook withRules(List<Rule> others) {
    return new RuleBook(others, keys, Set.of(), CallerActions.NONE);
  }

  /** The rules in order. */
  public List<Rule> rules() {
    return rules;
  }

  /** The callers whom operators have blocked or exempted. */
  public CallerActions actions() {
    return actions;
  }

  /** The names of the values that the rules read, and then of those that only the edge reads. */
  public Descriptor.Names names() {
    return names;
  }

  /** The rules that read values with such names; it is compiled, so keep the result. */
  public ValueReaders readersOf(Predicate<String> wanted) {
    return new ValueReaders(this, wanted);
  }

  /**
   * The charges of a request whose end is not reported. Concurrency limits are left out, because
   * their permits would not be released.
   */
  public Match match(Descriptor descriptor) {
    return match(descriptor, 0);
  }

  /**
   * The charges of a request.
   *
   * @param holder names this request among those in flight; 0 leaves concurrency limits out
   */
  public Match match(Descriptor descriptor, long holder) {
    return match(descriptor, holder, CallerLimits.NONE);
  }

  /**
   * The charges of a request, by limits that single callers may have elsewhere.
   *
   * @param holder as for {@link #match(Descriptor, long)}
   */
  public Match match(Descriptor descriptor, long holder, CallerLimits limits) {
    MatchContext request = new MatchContext(descriptor.as(names), owners, holder, limits, actions);
    IntList candidates = index.find(request.descriptor);
    Match match = new Match(this, request.descriptor);
    for (int i = 0; i < candidates.size(); i++) {
      CompiledRule rule = compiled[candidates.get(i)];
      if (rule.matches(request.descriptor)) {
        rule.claim(request, match);
      }
    }
    return match;
  }

  /** The names and values that identify a caller of a rule, if the request is of that caller. */
  List<String> identity(Rule rule, Descriptor request, long caller) {
    CompiledRule found = byRule.get(rule);
    return found == null ? List.of() : found.identity(request, caller);
  }

  /**
   * Explains for each rule, in order, whether it applies to a request and why.
   *
   * @param holder as for {@link #match(Descriptor, long)}
   */
  public List<Explanation> explain(Descriptor descriptor, long holder) {
    return explain(descriptor, holder, CallerLimits.NONE);
  }

  /**
   * Explains like {@link #explain(Descriptor, long)}, by limits that single callers may have
   * elsewhere.
   */
  public List<Explanation> explain(Descriptor descriptor, long holder, CallerLimits limits) {
    MatchContext request = new MatchContext(descriptor.as(names), owners, holder, limits, actions);
    List<Explanation> explanations = new ArrayList<>();
    for (CompiledRule rule : compiled) {
      explanations.add(rule.explain(request));
    }
    return explanations;
  }

  /**
   * Charges on every counter that a caller may have, by each rule that counts by such an identity;
   * whatever else the rules say, and without the callers that operators have blocked or exempted.
   *
   * @param identity as {@link Explanation.Caller#identity()} has it
   * @param holder as for {@link #match(Descriptor, long)}
   */
  public Map<Rule, Match> countersOf(List<String> identity, long holder) {
    Map<Rule, Match> all = new LinkedHashMap<>();
    for (int i = 0; i < compiled.length; i++) {
      Match match = compiled[i].countersOf(identity, holder);
      if (!match.charges().isEmpty() || !match.shadows().isEmpty()) {
        all.put(rules.get(i), match);
      }
    }
    return all;
  }
}
