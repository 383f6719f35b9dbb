package dev.weir.rules.action;

import dev.weir.rule.Multiple;
import dev.weir.rule.Rule;
import dev.weir.rule.action.AdjustedRule;
import dev.weir.rule.action.CallerAction;
import dev.weir.rule.action.CallerActions;
import dev.weir.rule.book.RuleBook;
import dev.weir.rules.domain.Domain;
import dev.weir.rules.domain.DomainBook;
import dev.weir.rules.domain.DomainRule;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A version of the rules with adjustments applied. Immutable and thread-safe.
 *
 * <p>Of several adjustments that change the same (the factor of one rule; the state of one caller,
 * by one rule or by all), the newest one applies. An adjustment that cannot be applied changes
 * nothing, and {@link #idle} says why.
 */
public final class AdjustedRules {
  private final RuleBook book;
  private final DomainBook domains;
  private final Map<String, String> idle;
  private final Map<String, List<String>> byRule;

  private AdjustedRules(
      RuleBook book,
      DomainBook domains,
      Map<String, String> idle,
      Map<String, List<String>> byRule) {
    this.book = book;
    this.domains = domains;
    this.idle = Map.copyOf(idle);
    this.byRule = Map.copyOf(byRule);
  }

  /** Rules without adjustments. */
  public static AdjustedRules none(RuleBook book, DomainBook domains) {
    return new AdjustedRules(book, domains, Map.of(), Map.of());
  }

  /**
   * Applies adjustments, the oldest first. What is not adjusted stays the same object. Never fails:
   * a rule may have changed since its adjustment was accepted.
   */
  public static AdjustedRules of(RuleBook book, DomainBook domains, List<Adjustment> adjustments) {
    return adjustments.isEmpty()
        ? none(book, domains)
        : new Application(book, domains, adjustments).apply();
  }

  /** The rules for requests. */
  public RuleBook book() {
    return book;
  }

  /** The limits by domain. */
  public DomainBook domains() {
    return domains;
  }

  /** Why adjustments have no effect, by their ids. */
  public Map<String, String> idle() {
    return idle;
  }

  /**
   * The ids of the adjustments that multiply a rule or put it into shadow mode, the oldest first.
   *
   * @param rule named as in {@link Adjustment#rule()}
   */
  public List<String> adjusting(String rule) {
    return byRule.getOrDefault(rule, List.of());
  }

  /** Applies adjustments once; for one thread. */
  private static final class Application {
    private final RuleBook book;
    private final DomainBook domains;
    private final List<Adjustment> adjustments;
    private final Map<String, Rule> rules = new HashMap<>();
    private final Map<String, List<DomainRule>> limits = new HashMap<>();
    private final Map<String, Rule> adjustedRules = new HashMap<>();

    /** By the object: limits of two domains may be equal. */
    private final IdentityHashMap<DomainRule, DomainRule> adjustedLimits = new IdentityHashMap<>();

    private final Map<String, String> idle = new HashMap<>();
    private final Map<String, List<String>> byRule = new HashMap<>();
    private final List<CallerAction> callers = new ArrayList<>();

    Application(RuleBook book, DomainBook domains, List<Adjustment> adjustments) {
      this.book = book;
      this.domains = domains;
      this.adjustments = adjustments;
      book.rules().forEach(rule -> rules.put(rule.name(), rule));
      for (String name : domains.names()) {
        Domain domain = domains.domain(name).orElseThrow();
        for (DomainRule limit : domain.rules()) {
          limits.computeIfAbsent(domain.nameOf(limit), absent -> new ArrayList<>()).add(limit);
        }
      }
    }

    AdjustedRules apply() {
      for (Adjustment one : withoutSuperseded()) {
        String reason = apply(one);
        if (reason != null) {
          idle.put(one.id(), reason);
        } else if (!one.kind().isAboutCaller()) {
          String rule = one.rule().orElseThrow();
          byRule.computeIfAbsent(rule, absent -> new ArrayList<>()).add(one.id());
        }
      }
      return new AdjustedRules(
          book.adjusted(adjustedRules, CallerActions.of(callers)),
          domains.adjusted(adjustedLimits),
          idle,
          byRule);
    }

    /** The adjustments that are not superseded by a newer one, the oldest first. */
    private List<Adjustment> withoutSuperseded() {
      Map<Adjustment.Target, Adjustment> last = new HashMap<>();
      adjustments.forEach(one -> last.put(one.target(), one));
      Map<Long, Adjustment> lastForAllRules = new HashMap<>();
      List<Adjustment> applied = new ArrayList<>();
      for (int i = adjustments.size() - 1; i >= 0; i--) {
        Adjustment one = adjustments.get(i);
        Adjustment newest = last.getOrDefault(one.target(), one);
        if (newest.equals(one) && one.caller().isPresent()) {
          // A newer action on the caller by all rules covers an older one by a single rule.
          long caller = one.caller().getAsLong();
          newest = lastForAllRules.getOrDefault(caller, one);
          if (one.rule().isEmpty()) {
            lastForAllRules.put(caller, one);
          }
        }
        if (newest.equals(one)) {
          applied.add(0, one);
        } else {
          idle.put(one.id(), "superseded by the newer action " + newest.id());
        }
      }
      return applied;
    }

    /** Applies one adjustment; returns why that is not possible, or null. */
    private @Nullable String apply(Adjustment one) {
      String name = one.rule().orElse(null);
      if (name != null && !rules.containsKey(name) && !limits.containsKey(name)) {
        return "there is no rule of this name";
      }
      if (one.kind().isAboutCaller()) {
        callers.add(one.callerAction());
        return null;
      }
      try {
        Rule rule = rules.get(name);
        if (rule != null) {
          Rule before = adjustedRules.getOrDefault(rule.name(), rule);
          adjustedRules.put(rule.name(), adjusted(one, before));
        } else {
          adjustLimits(one, limits.getOrDefault(String.valueOf(name), List.of()));
        }
        return null;
      } catch (IllegalArgumentException e) {
        return String.valueOf(e.getMessage());
      }
    }

    private static Rule adjusted(Adjustment one, Rule rule) {
      return one.factor().isPresent()
          ? AdjustedRule.times(rule, one.factor().get())
          : AdjustedRule.shadow(rule);
    }

    /** All of them or none. */
    private void adjustLimits(Adjustment one, List<DomainRule> named) {
      IdentityHashMap<DomainRule, DomainRule> all = new IdentityHashMap<>();
      Optional<Multiple> factor = one.factor();
      Function<DomainRule, DomainRule> adjust =
          factor.isPresent() ? limit -> limit.times(factor.get()) : DomainRule::asShadow;
      for (DomainRule limit : named) {
        all.put(limit, adjust.apply(adjustedLimits.getOrDefault(limit, limit)));
      }
      adjustedLimits.putAll(all);
    }
  }

  /** The names of all rules that adjustments can be about: our own, then the limits of domains. */
  public static Set<String> names(RuleBook book, DomainBook domains) {
    Set<String> names = new HashSet<>();
    book.rules().forEach(rule -> names.add(rule.name()));
    for (String name : domains.names()) {
      Domain domain = domains.domain(name).orElseThrow();
      domain.rules().forEach(limit -> names.add(domain.nameOf(limit)));
    }
    return names;
  }
}
