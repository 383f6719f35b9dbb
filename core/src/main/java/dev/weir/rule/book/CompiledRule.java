package dev.weir.rule.book;

import dev.weir.Algorithm;
import dev.weir.Claim;
import dev.weir.Descriptor;
import dev.weir.Limit;
import dev.weir.LimitKey;
import dev.weir.Mode;
import dev.weir.key.KeySpace;
import dev.weir.rule.Allowance;
import dev.weir.rule.CallerLimits;
import dev.weir.rule.CallerOverride;
import dev.weir.rule.Multiple;
import dev.weir.rule.Rule;
import dev.weir.rule.Tiers;
import dev.weir.rule.action.CallerAction;
import dev.weir.rule.action.CallerActions;
import dev.weir.rule.condition.Condition;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A rule with all lookups resolved: indexes into the descriptor, names of counters, overrides.
 * Immutable, and safe for use by any number of threads.
 */
final class CompiledRule {
  private static final int ABSENT = -1;

  private final Rule rule;

  /** The conditions that the index of the book does not cover. */
  private final List<Condition> unindexed;

  private final int[] unindexedIndexes;
  private final MatchedPaths paths;
  private final IdentityResolver callers;
  private final int owner;
  private final KeySpace keys;

  /** Decides, together with a caller's key, whether the caller is in the share of a rollout. */
  private final KeySpace.Name rolloutName;

  private final RuleCounters counters;
  private final OverrideIndex overrides;
  private final @Nullable Tiers tiers;
  private final OverrideIndex tierTable;
  private final int tierIndex;
  private final int costIndex;

  CompiledRule(
      Rule rule, @Nullable Condition indexed, Descriptor.Names names, int owner, KeySpace keys) {
    this.rule = rule;
    this.unindexed = rule.match().stream().filter(one -> !one.equals(indexed)).toList();
    this.unindexedIndexes =
        unindexed.stream().mapToInt(one -> names.list().indexOf(one.name())).toArray();
    this.paths = new MatchedPaths(rule, names);
    this.callers = new IdentityResolver(rule.per(), names);
    this.owner = owner;
    this.keys = keys;
    this.overrides = new OverrideIndex(rule.overrides(), callers, names);
    this.tiers = rule.tiers().orElse(null);
    this.tierTable =
        new OverrideIndex(rule.tiers().map(Tiers::table).orElse(List.of()), callers, names);
    this.tierIndex = indexOf(rule.tiers().map(Tiers::value).orElse(null), names);
    this.costIndex = indexOf(rule.cost().value(), names);
    this.rolloutName = keys.name(rule.name());
    this.counters = new RuleCounters(rule, keys);
  }

  /** The same compilation of another rule, which differs in what it grants only. */
  CompiledRule withRule(Rule other, @Nullable Condition indexed, Descriptor.Names names) {
    return new CompiledRule(other, indexed, names, owner, keys);
  }

  private static int indexOf(@Nullable String name, Descriptor.Names names) {
    return name == null ? ABSENT : names.list().indexOf(name);
  }

  /** Whether the rule applies, where the index has found that it may. */
  boolean matches(Descriptor descriptor) {
    for (int i = 0; i < unindexedIndexes.length; i++) {
      if (!holds(unindexed.get(i), unindexedIndexes[i], descriptor)) {
        return false;
      }
    }
    return true;
  }

  private boolean holds(Condition condition, int index, Descriptor descriptor) {
    return paths.holds(condition, index, descriptor);
  }

  /** Adds the charges of the rule to a match. */
  void claim(MatchContext request, Match match) {
    if (!paths.hasSeveral(request.descriptor)) {
      claim(request, request.descriptor, match);
      return;
    }
    Set<LimitKey> counted = new HashSet<>(); // a caller not identified by the path counts once
    for (Descriptor reading : paths.of(request.descriptor)) {
      if (counted.add(owner(request, reading).key(rolloutName))) {
        claim(request, reading, match);
      }
    }
  }

  private void claim(MatchContext request, Descriptor descriptor, Match match) {
    CallerAction action = action(request, descriptor);
    if (action != null) {
      if (action.blocked()) {
        match.block(rule, owner(request, descriptor).hash(), true);
      }
      return;
    }
    if (rule.whenAbsent() == Rule.WhenAbsent.SKIP && callers.lacksPart(descriptor)) {
      return;
    }
    if (isOutside(request, descriptor)) {
      return;
    }
    Allowance allowance = allowance(request, descriptor);
    if (allowance.blocked()) {
      KeySpace.Owner blocked = owner(request, descriptor);
      match.block(rule, blocked.hash(), enforced(blocked));
      return;
    }
    List<Limit> limits = allowance.limits();
    if (limits.isEmpty()) {
      return;
    }
    long cost = rule.cost().of(costIndex == ABSENT ? null : descriptor.value(costIndex));
    KeySpace.Owner caller = owner(request, descriptor);
    boolean enforced = enforced(caller);
    RuleCounters.Counter[] named = counters.of(allowance);
    for (int i = 0; i < limits.size(); i++) {
      Limit limit = named[i].limit();
      boolean concurrency = limit.algorithm() == Algorithm.CONCURRENCY;
      if (!concurrency || request.holder != 0) {
        LimitKey key = caller.key(named[i].name());
        // An estimate above the capacity would deny every request, whatever its true cost.
        long charged = rule.cost().response() == null ? cost : Math.min(cost, limit.capacity());
        Claim claim = new Claim(limit, key, charged, concurrency ? request.holder : 0, mode(limit));
        match.add(new Charge(rule, named[i].policy(), claim, enforced));
      }
    }
  }

  /** What an operator does to the caller, which goes before everything the rule says, or null. */
  @SuppressWarnings("ReferenceEquality") // nearly always the constant
  private @Nullable CallerAction action(MatchContext request, Descriptor descriptor) {
    return request.actions == CallerActions.NONE
        ? null
        : request.actions.find(rule.name(), owner(request, descriptor).hash());
  }

  /** The mode of one limit: a rule may have limits that can be leased beside some that cannot. */
  private Mode mode(Limit limit) {
    return rule.mode().supports(limit.algorithm()) ? rule.mode() : Mode.STRICT;
  }

  @SuppressWarnings("ReferenceEquality") // only another reading of the path is another object
  private KeySpace.Owner owner(MatchContext request, Descriptor descriptor) {
    if (descriptor != request.descriptor) {
      return callers.owner(descriptor, keys); // rules share only the owner of the first reading
    }
    KeySpace.Owner known = request.owners[owner];
    if (known == null) {
      known = callers.owner(request.descriptor, keys);
      request.owners[owner] = known;
    }
    return known;
  }

  /** The names and values that identify the caller with this hash; empty if it is another one. */
  List<String> identity(Descriptor descriptor, long caller) {
    for (Descriptor reading : paths.of(descriptor)) {
      if (callers.owner(reading, keys).hash() == caller) {
        return callers.identifying(reading);
      }
    }
    return List.of();
  }

  /** Whether the caller is outside the share of callers that the rule applies to. */
  private boolean isOutside(MatchContext request, Descriptor descriptor) {
    return rule.applied() != Rule.WHOLE && !isInShare(rule.applied(), owner(request, descriptor));
  }

  private boolean enforced(KeySpace.Owner caller) {
    return isInShare(rule.enforced(), caller);
  }

  /**
   * Whether a caller is in the share of a rollout. A caller stays in or out, with all its limits,
   * and independently for each rule: the common half of its keys and the name of the rule decide,
   * both as good as random.
   */
  private boolean isInShare(int share, KeySpace.Owner caller) {
    if (share == Rule.WHOLE || share == 0) {
      return share != 0;
    }
    return Long.remainderUnsigned(caller.lot(rolloutName), Rule.WHOLE) < share;
  }

  private Allowance allowance(MatchContext request, Descriptor descriptor) {
    CallerOverride override = overrides.find(descriptor);
    if (override == null) {
      Allowance own = callersOwn(request.limits, descriptor);
      return own == null ? usual(descriptor) : own;
    }
    return override.entitlement() instanceof Multiple multiple
        ? rule.times(multiple, usual(descriptor))
        : (Allowance) override.entitlement();
  }

  /** What a caller is allowed by a source beside the rules; null if it says nothing. */
  @SuppressWarnings("ReferenceEquality") // nearly always the constant
  private @Nullable Allowance callersOwn(CallerLimits limits, Descriptor descriptor) {
    return limits == CallerLimits.NONE || rule.per().isEmpty()
        ? null
        : limits.find(rule, callers.identifying(descriptor));
  }

  /** The allowance of a caller without an override. */
  private Allowance usual(Descriptor descriptor) {
    if (tiers == null) {
      return rule.allowance();
    }
    CallerOverride listed = tierTable.find(descriptor);
    if (listed != null && listed.entitlement() instanceof Allowance tier) {
      return tier;
    }
    String stated = tierIndex == ABSENT ? null : descriptor.value(tierIndex);
    return tiers.allowance(stated);
  }

  /**
   * Charges on every counter that a caller may have by this rule, whatever its tier; empty if the
   * rule does not count by such an identity.
   */
  Match countersOf(List<String> identity, long holder) {
    Match match = new Match(null, null);
    if (callers.mayIdentify(identity, 0)) {
      KeySpace.Owner caller = keys.owner(identity.toArray(String[]::new));
      Set<LimitKey> seen = new HashSet<>();
      for (Allowance allowance : rule.allowances()) {
        for (RuleCounters.Counter counter : counters.of(allowance)) {
          Limit limit = counter.limit();
          boolean concurrency = limit.algorithm() == Algorithm.CONCURRENCY;
          LimitKey key = caller.key(counter.name());
          if ((!concurrency || holder != 0) && seen.add(key)) {
            Claim claim = new Claim(limit, key, 1, concurrency ? holder : 0, mode(limit));
            match.add(new Charge(rule, counter.policy(), claim, enforced(caller)));
          }
        }
      }
    }
    return match;
  }

  Explanation explain(MatchContext request) {
    Descriptor descriptor = request.descriptor;
    Descriptor matched = paths.of(descriptor).get(0);
    List<Explanation.Failed> failed = new ArrayList<>();
    for (Condition condition : rule.match()) {
      String value = descriptor.value(condition.name());
      if (!holds(condition, descriptor.names().list().indexOf(condition.name()), descriptor)) {
        failed.add(new Explanation.Failed(condition, value));
      }
    }
    Match match = new Match(null, null);
    if (failed.isEmpty()) {
      claim(request, match);
    }
    boolean skipped = rule.whenAbsent() == Rule.WhenAbsent.SKIP && callers.lacksPart(matched);
    boolean outside = isOutside(request, matched);
    Optional<CallerOverride> override =
        Optional.ofNullable(overrides.find(matched)).or(() -> listed(matched));
    Allowance allowance = allowance(request, matched);
    Explanation.Caller caller =
        new Explanation.Caller(
            callers.identifying(matched),
            owner(request, matched).hash(),
            Optional.ofNullable(action(request, matched)),
            skipped,
            outside,
            override);
    return new Explanation(rule, failed, caller, allowance, match);
  }

  private Optional<CallerOverride> listed(Descriptor descriptor) {
    return Optional.ofNullable(tierTable.find(descriptor));
  }
}
