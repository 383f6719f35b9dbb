package dev.weir.rules.gateway.syntax;

import dev.weir.rule.condition.Condition;
import dev.weir.rules.gateway.PriorityRule;
import dev.weir.rules.gateway.Route;
import dev.weir.rules.lint.ApplicationLint;
import dev.weir.rules.lint.ConditionLint;
import dev.weir.rules.syntax.ValueTrust;
import dev.weir.rules.yaml.LintCodes;
import dev.weir.rules.yaml.Problems;
import dev.weir.rules.yaml.SourceLocation;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Warns of routes, upstreams and priorities without effect. Not thread-safe. */
final class GatewayLint {
  private static final Set<String> CHOSEN = Set.of("path", "method", "host");

  private final ConditionLint conditions;
  private final Problems problems;

  GatewayLint(ConditionLint conditions, Problems problems) {
    this.conditions = conditions;
    this.problems = problems;
  }

  void checkRoutes(List<ParsedMatch> routes) {
    check(routes, "route");
  }

  void checkPriorities(List<ParsedMatch> parsed, List<PriorityRule> priorities) {
    check(parsed, "priority");
    for (int i = 0; i < parsed.size(); i++) {
      PriorityRule one = priorities.get(i);
      if (parsed.get(i).sound()) {
        SourceLocation location = parsed.get(i).section().location("match");
        new ApplicationLint(problems).checkPriority(location, one.match());
      }
      if (parsed.get(i).sound() && one.priority() < 2 && isForgeable(one.match())) {
        problems.warning(
            parsed.get(i).section().location("match"),
            LintCodes.FORGEABLE_KEY,
            "priority: a client can choose priority "
                + one.priority()
                + " by what it sends (use trusted-header or a verified jwt claim)");
      }
    }
  }

  /** Whether a client can meet the conditions by a header or a cookie of its own. */
  private static boolean isForgeable(List<Condition> match) {
    return match.stream().map(Condition::name).anyMatch(ValueTrust::isForgeable)
        && match.stream()
            .map(Condition::name)
            .allMatch(name -> ValueTrust.isForgeable(name) || CHOSEN.contains(name));
  }

  private void check(List<ParsedMatch> parsed, String what) {
    for (int i = 0; i < parsed.size(); i++) {
      ParsedMatch one = parsed.get(i);
      Set<String> names = one.match().stream().map(Condition::name).collect(Collectors.toSet());
      conditions.checkValues(one.section().location(), what, names);
      if (one.sound()) {
        conditions.checkPaths(one.section().location("match"), one.match());
        checkReached(parsed.subList(0, i), one, what);
      }
    }
  }

  private void checkReached(List<ParsedMatch> earlier, ParsedMatch one, String what) {
    for (ParsedMatch before : earlier) {
      if (before.sound() && Coverage.covers(before.match(), one.match())) {
        problems.warning(
            one.section().location(),
            LintCodes.NEVER_MATCHES,
            what
                + ": never used, since the one in line "
                + before.section().location().line()
                + " matches all its requests first");
        return;
      }
    }
  }

  /** Warns of upstreams that get no requests, unless a route is invalid and may mean them. */
  void checkUse(
      Map<String, SourceLocation> upstreams, List<Route> routes, List<ParsedMatch> parsed) {
    if (!parsed.stream().allMatch(ParsedMatch::sound)) {
      return;
    }
    Set<String> used = routes.stream().map(Route::upstream).collect(Collectors.toSet());
    upstreams.forEach(
        (name, location) -> {
          if (!used.contains(name)) {
            problems.warning(
                location,
                LintCodes.UNUSED_UPSTREAM,
                Problems.shown(name) + ": no route leads to this upstream");
          }
        });
  }
}
