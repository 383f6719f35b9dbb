package dev.weir.server.rls;

import dev.weir.Algorithm;
import dev.weir.Claim;
import dev.weir.Limit;
import dev.weir.rule.FailureMode;
import dev.weir.rule.Rule;
import dev.weir.rule.action.CallerAction;
import dev.weir.rule.action.CallerActions;
import dev.weir.rule.book.Charge;
import dev.weir.rule.book.Match;
import dev.weir.rules.domain.DescriptorMatch;
import dev.weir.rules.domain.DescriptorRules;
import dev.weir.rules.domain.Domain;
import dev.weir.rules.domain.DomainRule;
import dev.weir.rules.domain.Entry;
import dev.weir.rules.domain.Unit;
import dev.weir.server.rls.RlsReply.Current;
import dev.weir.server.rls.RlsRequest.DescriptorQuery;
import dev.weir.server.rls.RlsRequest.LimitOverride;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds the limits that apply to a request: those of its domain, its own overrides, and those of
 * our own rules.
 */
final class RequestPlanner {
  private static final long SECOND_MICROS = 1_000_000;

  private final DescriptorRules rules;
  private final RlsRequest request;
  private final RlsCounters counters;
  private final ExhaustedWindowCache exhausted;
  private final boolean quota;
  private final long nowMicros;

  /**
   * @param quota whether every descriptor is a quota
   */
  RequestPlanner(
      DescriptorRules rules,
      RlsRequest request,
      RlsCounters counters,
      ExhaustedWindowCache exhausted,
      boolean quota,
      long nowMicros) {
    this.exhausted = exhausted;
    this.rules = rules;
    this.request = request;
    this.counters = counters;
    this.quota = quota;
    this.nowMicros = nowMicros;
  }

  boolean isDomainKnown() {
    return rules.domains().domain(request.domain()).isPresent();
  }

  /** The charges of the request. */
  ChargePlan plan() {
    Optional<Domain> domain = rules.domains().domain(request.domain());
    List<DescriptorCheck> descriptors = new ArrayList<>(request.queries().size());
    Set<String> replaced = Set.of();
    for (DescriptorQuery query : request.queries()) {
      DescriptorMatch match = domain.isEmpty() ? null : match(domain.get(), query);
      descriptors.add(new DescriptorCheck(query, match));
      if (match != null && !match.rule().replaces().isEmpty()) {
        replaced = replaced.isEmpty() ? new HashSet<>() : replaced;
        replaced.addAll(match.rule().replaces());
      }
    }
    ChargePlan plan = new ChargePlan(descriptors, exhausted, quota, nowMicros);
    for (DescriptorCheck descriptor : descriptors) {
      DescriptorMatch match = descriptor.domainMatch;
      LimitOverride override = descriptor.query.override();
      boolean replacedByOther = match != null && replaced.contains(match.rule().name());
      CallerAction action = replacedByOther ? null : action(domain, descriptor);
      if (action != null) {
        addAction(descriptor, action);
      } else if (domain.isPresent() && override != null) {
        addOverride(descriptor, override, domain.get().isAllOrNone());
      } else if (match != null && !replacedByOther) {
        addDomainLimits(descriptor, match);
      }
      descriptor.domainChecks = descriptor.callerBlocked ? 0 : descriptor.checks.size();
      addRuleLimits(descriptor);
      plan.add(descriptor);
    }
    return plan;
  }

  private static @Nullable DescriptorMatch match(Domain domain, DescriptorQuery query) {
    return query.entries().isEmpty() || query.override() != null
        ? null
        : domain.match(query.entries()).orElse(null);
  }

  /** What an operator does to the caller, which goes before every limit of the domain, or null. */
  @SuppressWarnings("ReferenceEquality") // nearly always the constant
  private @Nullable CallerAction action(Optional<Domain> domain, DescriptorCheck descriptor) {
    CallerActions actions = rules.actions();
    DescriptorMatch match = descriptor.domainMatch;
    List<Entry> entries = descriptor.query.entries();
    if (actions == CallerActions.NONE || domain.isEmpty() || entries.isEmpty()) {
      return null;
    }
    if (match != null) {
      long caller = counters.caller(request.domain(), match.counted());
      return actions.find(domain.get().nameOf(match.rule()), caller);
    }
    return descriptor.query.override() == null
        ? null
        : actions.find(domain.get().name(), counters.caller(request.domain(), entries));
  }

  /**
   * Lets an exempt caller pass by the domain, and denies a blocked one, as a rule of our own does:
   * neither shadow mode nor another quota lets it pass.
   */
  private void addAction(DescriptorCheck descriptor, CallerAction action) {
    if (!action.blocked()) {
      return;
    }
    DescriptorMatch match = descriptor.domainMatch;
    DomainRule.Rate rate = match == null ? null : match.rule().rate();
    Current current =
        match == null || rate == null
            ? null
            : new Current(rate.requestsPerUnit(), rate.unit(), match.rule().name());
    Role role = quota ? Role.QUOTA : Role.REQUIRED;
    LimitTerms terms = new LimitTerms(current, FailureMode.DENY, 0, false, role);
    descriptor.metric = match == null ? RlsListener.OVERRIDE : match.metric();
    descriptor.callerBlocked = true;
    descriptor.checks.add(LimitCheck.blocked(terms, descriptor.query.refund(), 0, null));
  }

  /** Adds the limit that the client sent; it is counted as a configured one would be. */
  private void addOverride(DescriptorCheck descriptor, LimitOverride override, boolean allOrNone) {
    List<Entry> entries = descriptor.query.entries();
    long permits = override.requestsPerUnit();
    Unit unit = override.unit();
    long hits = descriptor.query.hits();
    Current current = new Current(permits, unit, "");
    Role role = !allOrNone ? Role.INDEPENDENT : quota ? Role.QUOTA : Role.REQUIRED;
    LimitTerms terms = new LimitTerms(current, FailureMode.LOCAL, 0, false, role);
    String domain = request.domain();
    descriptor.metric = RlsListener.OVERRIDE;
    if (!allOrNone) {
      Claim claim = counters.tally(domain, entries, unit, hits);
      descriptor.checks.add(LimitCheck.tallied(terms, claim, permits));
    } else if (permits == 0) {
      descriptor.checks.add(
          LimitCheck.blocked(terms, descriptor.query.refund(), untilWindowEnd(unit), null));
    } else {
      Claim claim = counters.strict(domain, entries, permits, unit, hits);
      descriptor.checks.add(LimitCheck.strict(terms, claim, null));
    }
  }

  private long untilWindowEnd(Unit unit) {
    long windowMicros = unit.duration().toSeconds() * SECOND_MICROS;
    return windowMicros - nowMicros % windowMicros;
  }

  private void addDomainLimits(DescriptorCheck descriptor, DescriptorMatch match) {
    DomainRule rule = match.rule();
    DomainRule.Rate rate = rule.rate();
    if (rate == null) {
      return;
    }
    descriptor.metric = match.metric();
    long hits = descriptor.query.hits();
    if (rate.limits().isEmpty()) {
      long resetMicros = untilWindowEnd(rate.unit());
      LimitTerms terms =
          terms(rule, rate, new Current(rate.requestsPerUnit(), rate.unit(), rule.name()));
      descriptor.checks.add(
          LimitCheck.blocked(terms, descriptor.query.refund(), resetMicros, null));
    }
    for (int i = 0; i < rate.limits().size(); i++) {
      Limit limit = rate.limits().get(i);
      Current current =
          rate.limits().size() == 1
              ? new Current(rate.requestsPerUnit(), rate.unit(), rule.name())
              : new Current(limit.permits(), Unit.nearest(limit.window()), rule.name());
      LimitTerms terms = terms(rule, rate, current);
      String domain = request.domain();
      if (!rate.strict()) {
        Claim claim = counters.tally(domain, match.counted(), limit, hits);
        descriptor.checks.add(LimitCheck.tallied(terms, claim, limit.permits()));
      } else if (limit.algorithm() != Algorithm.CONCURRENCY) {
        // Concurrency limits do not apply: Envoy never reports that a request has ended.
        Claim claim = counters.strict(domain, rule, i, limit, match.counted(), hits);
        descriptor.checks.add(LimitCheck.strict(terms, claim, null));
      }
    }
  }

  private LimitTerms terms(DomainRule rule, DomainRule.Rate rate, Current current) {
    DomainRule.Enforcement how = rule.enforcement();
    Role role =
        !rate.strict()
            ? Role.INDEPENDENT
            : how.shadow() ? Role.SHADOW : how.quota() || quota ? Role.QUOTA : Role.REQUIRED;
    int priority = rule.reporting().priority();
    return new LimitTerms(current, how.failureMode(), priority, how.shadow(), role);
  }

  private void addRuleLimits(DescriptorCheck descriptor) {
    Match found = rules.match(request.domain(), descriptor.query.entries()).orElse(null);
    if (found == null) {
      return;
    }
    // One hit is the default of the protocol: then the rule sets the cost.
    long hits = descriptor.query.hits();
    Match match = found.withCost(hits == 1 ? OptionalLong.empty() : OptionalLong.of(hits));
    descriptor.ruleMatch = match;
    Role role = quota ? Role.QUOTA : Role.REQUIRED;
    if (match.blockedBy().isPresent()) {
      Rule rule = match.blockedBy().get();
      LimitTerms terms = new LimitTerms(null, rule.failureMode(), 0, false, role);
      descriptor.checks.add(LimitCheck.blocked(terms, descriptor.query.refund(), 0, rule));
    }
    for (Charge charge : match.charges()) {
      Limit limit = charge.claim().limit();
      Current current =
          new Current(limit.permits(), Unit.nearest(limit.window()), charge.policy().name());
      LimitTerms terms = new LimitTerms(current, charge.failureMode(), 0, false, role);
      descriptor.checks.add(LimitCheck.strict(terms, charge.claim(), charge.rule()));
    }
  }
}
