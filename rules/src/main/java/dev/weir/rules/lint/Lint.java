package dev.weir.rules.lint;

import dev.weir.Algorithm;
import dev.weir.Limit;
import dev.weir.http.identity.HttpReader;
import dev.weir.http.request.CanonicalPath;
import dev.weir.rule.Identity;
import dev.weir.rule.Rule;
import dev.weir.rule.condition.Condition;
import dev.weir.rules.syntax.MatchSyntax;
import dev.weir.rules.syntax.RuleSyntax;
import dev.weir.rules.yaml.LintCodes;
import dev.weir.rules.yaml.Problems;
import dev.weir.rules.yaml.SourceLocation;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** Warns of rules that are valid, but hardly work as intended. Not thread-safe. */
public final class Lint {
  private static final String TRUSTED_HEADER = "trusted-header ";

  /** The spelling that other routers have for {@code /users/{id}}. */
  private static final Pattern COLON_NAME = Pattern.compile("/:([A-Za-z0-9_-]+)(?=/|$)");

  private static final Pattern LOGIN_WORDS =
      Pattern.compile(
          "(?<![a-z])(log-?in|sign-?in|passw[a-z]*|otp|2fa|mfa|tokens?|o?auth2?)(?![a-z])",
          Pattern.CASE_INSENSITIVE);

  private final List<RuleSyntax.ParsedRule> rules;
  private final Set<String> trustedHeaders = new TreeSet<>();
  private final boolean jwtConfigured;
  private final boolean proxiesConfigured;
  private final Problems problems;
  private final ForgeryLint forgeryLint;
  private final ModeLint modeLint;
  private final EffectLint effectLint;

  /**
   * A lint of these rules.
   *
   * @param jwtConfigured whether the files have a {@code jwt} section, be it invalid
   * @param proxiesConfigured whether the files name trusted proxies, be it invalid
   */
  public Lint(
      List<RuleSyntax.ParsedRule> rules,
      boolean jwtConfigured,
      boolean proxiesConfigured,
      Problems problems) {
    this.rules = rules;
    this.jwtConfigured = jwtConfigured;
    this.proxiesConfigured = proxiesConfigured;
    this.problems = problems;
    this.forgeryLint = new ForgeryLint(problems);
    this.modeLint = new ModeLint(problems);
    this.effectLint = new EffectLint(problems);
  }

  /** Adds the warnings, and errors for values that no request can have. */
  public void run() {
    Map<Object, Rule> counted = new HashMap<>();
    for (RuleSyntax.ParsedRule parsed : rules) {
      checkValues(parsed);
      if (!parsed.sound()) {
        continue; // the intended rule is unknown
      }
      checkPaths(parsed);
      checkCost(parsed);
      forgeryLint.check(parsed);
      checkLogin(parsed);
      checkDuplicates(parsed, counted);
      checkConcurrent(parsed);
      modeLint.check(parsed);
      effectLint.check(parsed);
    }
  }

  /** The headers that rules trust if a trusted proxy sends them; complete after {@link #run}. */
  public Set<String> trustedHeaders() {
    return trustedHeaders;
  }

  /** Paths are compared in canonical form, so a pattern in another form matches none. */
  private void checkPaths(RuleSyntax.ParsedRule parsed) {
    for (Condition condition : parsed.rule().match()) {
      if (condition instanceof Condition.Path path) {
        path.patterns().forEach(pattern -> checkPath(parsed, pattern.toString()));
      }
    }
  }

  private void checkPath(RuleSyntax.ParsedRule parsed, String pattern) {
    CanonicalPath canonical = CanonicalPath.of(pattern, true);
    if (!canonical.hasReading(pattern)) {
      problems.warning(
          parsed.section().location("match"),
          LintCodes.NEVER_MATCHES,
          "path: "
              + Problems.shown(pattern)
              + " never matches, since paths are decoded before they are compared (write "
              + MatchSyntax.spelling(canonical)
              + ")");
    }
    String braces = COLON_NAME.matcher(pattern).replaceAll("/{$1}");
    if (!braces.equals(pattern)) {
      problems.warning(
          parsed.section().location("match"),
          LintCodes.NEVER_MATCHES,
          "path: "
              + Problems.shown(pattern)
              + " matches only a path with that colon (did you mean "
              + Problems.shown(braces)
              + "?)");
    }
  }

  /** Reports values that no request can have: jwt without keys, trusted headers without proxies. */
  private void checkValues(RuleSyntax.ParsedRule parsed) {
    Set<String> names = new HashSet<>();
    parsed.rule().match().forEach(condition -> names.add(condition.name()));
    parsed.rule().per().forEach(one -> one.alternatives().forEach(names::addAll));
    parsed.rule().tiers().map(tiers -> tiers.value()).ifPresent(names::add);
    if (parsed.rule().cost().value() != null) {
      names.add(parsed.rule().cost().value());
    }
    for (String name : names) {
      if (name.startsWith(TRUSTED_HEADER)) {
        trustedHeaders.add(name.substring(TRUSTED_HEADER.length()));
      }
      SourceLocation location = parsed.section().location();
      String shown = Problems.shown(name);
      if (name.startsWith("jwt ") && !jwtConfigured) {
        String expected = "a jwt section with the keys to verify it";
        problems.error(location, parsed.rule().name(), name, expected);
      } else if (name.startsWith(TRUSTED_HEADER) && !proxiesConfigured) {
        problems.warning(
            location,
            LintCodes.NEVER_MATCHES,
            parsed.rule().name() + ": " + shown + " is always absent without trusted-proxies");
      } else if (!isEnvoyValue(name) && HttpReader.problem(name) != null) {
        problems.error(location, String.valueOf(HttpReader.problem(name)));
      }
    }
  }

  /** Whether only clients of Envoy's rate limit service send the value, never an HTTP request. */
  private static boolean isEnvoyValue(String name) {
    return name.equals("domain") || name.startsWith("entry ");
  }

  private void checkCost(RuleSyntax.ParsedRule parsed) {
    Rule rule = parsed.rule();
    long cost = rule.cost().maxCost();
    for (var allowance : rule.allowances()) {
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
    Set<Object> windows = new HashSet<>();
    for (Limit limit : rule.allowance().limits()) {
      boolean rate = limit.algorithm() != Algorithm.CONCURRENCY;
      if (rate && !windows.add(List.of(limit.windowMicros(), limit.calendar()))) {
        problems.warning(
            parsed.section().location("limit"),
            LintCodes.COUNTED_TWICE,
            rule.name() + ": two limits on the same window (the smaller one alone would do)");
      }
      if (rule.enforced() == 0) {
        continue; // a shadow rule runs beside the one it may replace
      }
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
              + ": concurrent holds only where the end of a request is reported; /v1/check leaves it"
              + " out (use /v1/decide and /v1/release, and ignore this)");
    }
  }
}
