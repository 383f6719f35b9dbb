package dev.weir.rules.lint;

import dev.weir.Algorithm;
import dev.weir.Limit;
import dev.weir.rule.Allowance;
import dev.weir.rule.Identity;
import dev.weir.rule.Rule;
import dev.weir.rule.condition.Condition;
import dev.weir.rules.syntax.RuleSyntax;
import dev.weir.rules.yaml.LintCodes;
import dev.weir.rules.yaml.Problems;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** Warns of rules that are valid, but hardly work as intended. Not thread-safe. */
public final class Lint {
  private static final Pattern LOGIN_WORDS =
      Pattern.compile(
          "(?<![a-z])(log-?in|sign-?in|passw[a-z]*|otp|2fa|mfa|tokens?|o?auth2?)(?![a-z])",
          Pattern.CASE_INSENSITIVE);

  private final List<RuleSyntax.ParsedRule> rules;
  private final ConditionLint conditionLint;
  private final Problems problems;
  private final ForgeryLint forgeryLint;
  private final ModeLint modeLint;
  private final WindowLint windowLint;
  private final EffectLint effectLint;
  private final GatewayLint gatewayLint;
  private final ApplicationLint applicationLint;

  /** A lint of these rules. */
  public Lint(List<RuleSyntax.ParsedRule> rules, ConditionLint conditionLint, Problems problems) {
    this.rules = rules;
    this.conditionLint = conditionLint;
    this.problems = problems;
    this.forgeryLint = new ForgeryLint(problems);
    this.modeLint = new ModeLint(problems);
    this.windowLint = new WindowLint(problems);
    this.effectLint = new EffectLint(problems);
    this.gatewayLint = new GatewayLint(problems);
    this.applicationLint = new ApplicationLint(problems);
  }

  /** Adds the warnings, and errors for values that no request can have. */
  public void run() {
    Map<Object, Rule> counted = new HashMap<>();
    for (RuleSyntax.ParsedRule parsed : rules) {
      checkValues(parsed);
      if (!parsed.sound()) {
        continue; // the intended rule is unknown
      }
      conditionLint.checkPaths(parsed.section().location("match"), parsed.rule().match());
      checkCost(parsed);
      forgeryLint.check(parsed);
      checkLogin(parsed);
      windowLint.check(parsed);
      checkDuplicates(parsed, counted);
      checkConcurrent(parsed);
      modeLint.check(parsed);
      effectLint.check(parsed);
      gatewayLint.check(parsed);
      applicationLint.check(parsed);
    }
  }

  private void checkValues(RuleSyntax.ParsedRule parsed) {
    Set<String> names = new HashSet<>();
    parsed.rule().match().forEach(condition -> names.add(condition.name()));
    parsed.rule().per().forEach(one -> one.alternatives().forEach(names::addAll));
    parsed.rule().tiers().map(tiers -> tiers.value()).ifPresent(names::add);
    if (parsed.rule().cost().value() != null) {
      names.add(parsed.rule().cost().value());
    }
    conditionLint.checkValues(parsed.section().location(), parsed.rule().name(), names);
  }

  private void checkCost(RuleSyntax.ParsedRule parsed) {
    Rule rule = parsed.rule();
    if (rule.cost().response() != null) {
      return; // an estimate is never above the capacity
    }
    long cost = rule.cost().maxCost();
    List<Allowance> all = new ArrayList<>(rule.allowances());
    all.addAll(rule.candidateAllowances());
    for (Allowance allowance : all) {
      for (Limit written : allowance.limits()) {
        Limit limit = rule.perServer(written);
        if (limit.capacity() < cost) {
          String what = limit.algorithm() == Algorithm.TOKEN_BUCKET ? "burst" : "room";
          problems.warning(
              parsed.section().location(parsed.section().has("burst") ? "burst" : "cost"),
              LintCodes.BURST_BELOW_COST,
              rule.name()
                  + ": a request that costs "
                  + cost
                  + " never passes, with "
                  + what
                  + " for "
                  + limit.capacity());
          return;
        }
      }
    }
  }

  private void checkLogin(RuleSyntax.ParsedRule parsed) {
    Rule rule = parsed.rule();
    boolean approximate =
        rule.allowances().stream()
            .flatMap(allowance -> allowance.limits().stream())
            .anyMatch(limit -> limit.algorithm() == Algorithm.SLIDING_COUNTER);
    boolean secret =
        rule.match().stream()
            .anyMatch(
                condition ->
                    condition instanceof Condition.Path
                        && LOGIN_WORDS.matcher(condition.expected()).find());
    if (approximate && secret) {
      problems.warning(
          parsed.section().location("algorithm"),
          LintCodes.WEAK_LOGIN_LIMIT,
          rule.name()
              + ": sliding-counter lets an attacker try nearly twice the limit in one"
              + " window (use sliding-log)");
    }
  }

  /** The conditions of a rule as text, since conditions with predicates are never equal. */
  private static Set<List<String>> conditions(Rule rule) {
    Set<List<String>> conditions = new HashSet<>();
    rule.match().forEach(one -> conditions.add(List.of(one.name(), one.expected())));
    return conditions;
  }

  private void checkDuplicates(RuleSyntax.ParsedRule parsed, Map<Object, Rule> counted) {
    Rule rule = parsed.rule();
    if (rule.enforced() == 0) {
      return; // a shadow rule runs beside the one it may replace
    }
    for (Limit limit : rule.allowance().limits()) {
      Object same =
          List.of(
              conditions(rule),
              rule.per().stream().map(Identity::alternatives).toList(),
              rule.cost(),
              limit.algorithm(),
              limit.window(),
              limit.calendar());
      Rule first = counted.putIfAbsent(same, rule);
      if (first != null && !first.name().equals(rule.name())) {
        problems.warning(
            parsed.section().location("name"),
            LintCodes.COUNTED_TWICE,
            rule.name()
                + ": counts the same requests, by the same callers, in the same window as "
                + first.name());
      }
    }
  }

  /** A concurrency limit has no effect for a gateway that does not report the end of requests. */
  private void checkConcurrent(RuleSyntax.ParsedRule parsed) {
    boolean holds =
        parsed.rule().allowances().stream()
            .flatMap(allowance -> allowance.limits().stream())
            .anyMatch(limit -> limit.algorithm() == Algorithm.CONCURRENCY);
    if (holds) {
      problems.warning(
          parsed.section().location("concurrent"),
          LintCodes.NEEDS_RELEASE,
          parsed.rule().name()
              + ": concurrent holds only where the end of a request is reported; /v1/check leaves"
              + " it out (use weir gateway, or /v1/decide and /v1/release, and ignore this)");
    }
  }
}
