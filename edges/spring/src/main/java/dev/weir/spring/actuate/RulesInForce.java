package dev.weir.spring.actuate;

import dev.weir.rule.Allowance;
import dev.weir.rule.Identity;
import dev.weir.rule.Rule;
import dev.weir.spring.actuate.WeirEndpoint.RuleInForce;
import java.util.Locale;

/** Describes rules for people. */
final class RulesInForce {
  private RulesInForce() {}

  static RuleInForce describe(Rule rule) {
    return new RuleInForce(
        rule.name(),
        rule.match().stream().map(one -> one.name() + ": " + one.expected()).toList(),
        rule.per().stream().map(Identity::name).toList(),
        rule.allowances().stream().map(Allowance::toString).toList(),
        rule.failureMode().name().toLowerCase(Locale.ROOT));
  }
}
