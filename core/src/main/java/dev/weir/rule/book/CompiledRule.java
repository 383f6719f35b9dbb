package dev.weir.rule.book;

import dev.weir.Algorithm;
import dev.weir.Claim;
import dev.weir.Descriptor;
import dev.weir.Limit;
import dev.weir.LimitKey;
import dev.weir.Mode;
import dev.weir.key.KeySpace;
import dev.weir.rule.Allowance;
import dev.weir.rule.Candidate;
import dev.weir.rule.Rule;
import dev.weir.rule.action.CallerAction;
import dev.weir.rule.action.CallerActions;
import dev.weir.rule.condition.Condition;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
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

  /** Those of the candidate, which share none with the rule. */
  private final RuleCounters candidateCounters;

  private final GrantResolver grants;
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
    this.grants = new GrantResolver(rule, callers, names);
    String cost = rule.cost().value();
    this.costIndex = cost == null ? ABSENT : names.list().indexOf(cost);
    this.rolloutName = keys.name(rule.name());
    this.counters = RuleCounters.ofRule(rule, keys);
    this.candidateCounters = RuleCounters.ofCandidate(rule, keys);
  }

  /** The same compilation of another rule, which differs in what it grants only. */
  CompiledRule withRule(Rule other, @Nullable Condition indexed, Descriptor.Names names) {
    return new CompiledRule(other, indexed, names, owner, keys);
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
    Allowance usual = grants.allowance(request.limits, descriptor);
    Allowance candidate = grants.candidate(request.limits, descriptor);
    Allowance inForce = inForce(candidate, request, descriptor);
    Allowance allowance = inForce == null ? usual : inForce;
    if (allowance.blocked()) {
      KeySpace.Owner blocked = owner(request, descriptor);
      match.block(rule, blocked.hash(), enforced(blocked));
      return;
    }
    if (allowance.limits().isEmpty() && candidate == null) {
      return;
    }
    KeySpace.Owner caller = owner(request, descriptor);
    long cost = rule.cost().of(costIndex == ABSENT ? null : descriptor.value(costIndex));
    boolean enforced = enforced(caller);
    boolean swapped = inForce != null;
    for (RuleCounters.Counter counter : counters(swapped).of(allowance)) {
      if (request.holder != 0 || counter.limit().algorithm() != Algorithm.CONCURRENCY) {
        match.add(charge(counter, caller, cost, request.holder, enforced));
      }
    }
    // Several readings may count several callers, whose limits in force differ.
    Allowance other = swapped ? usual : candidate;
    if (other != null && !other.blocked() && !paths.hasSeveral(request.descriptor)) {
      List<Charge> charges = new ArrayList<>(2);
      for (RuleCounters.Counter counter : counters(!swapped).of(other)) {
        charges.add(charge(counter, caller, cost, 0, false));
      }
      boolean shadow = !enforced && !allowance.limits().isEmpty();
      match.add(new Twin(rule, charges, !swapped, shadow));
    }
  }

  private RuleCounters counters(boolean ofCandidate) {
    return ofCandidate ? candidateCounters : counters;
  }

  private Charge charge(
      RuleCounters.Counter of, KeySpace.Owner caller, long cost, long holder, boolean enforced) {
    Limit limit = of.limit();
    // An estimate above the capacity would deny every request, whatever its true cost.
    long charged = rule.cost().response() == null ? cost : Math.min(cost, limit.capacity());
    long named = limit.algorithm() == Algorithm.CONCURRENCY ? holder : 0;
    Claim claim = new Claim(limit, caller.key(of.name()), charged, named, mode(limit));
    return new Charge(rule, of.policy(), claim, enforced);
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

  /** What the candidate grants, if it is in force for this caller; else null. */
  private @Nullable Allowance inForce(
      @Nullable Allowance candidate, MatchContext request, Descriptor descriptor) {
    if (candidate == null) {
      return null;
    }
    int share = rule.candidate().map(Candidate::rollout).orElse(0);
    return share != 0 && isInShare(share, owner(request, descriptor)) ? candidate : null;
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

  /**
   * Charges on every counter that a caller may have by this rule, whatever its tier; empty if the
   * rule does not count by such an identity.
   */
  Match countersOf(List<String> identity, long holder) {
    Match match = new Match(null, null);
    if (callers.mayIdentify(identity, 0)) {
      KeySpace.Owner caller = keys.owner(identity.toArray(String[]::new));
      Set<LimitKey> seen = new HashSet<>();
      Stream.concat(
              rule.allowances().stream().map(counters::of),
              rule.candidateAllowances().stream().map(candidateCounters::of))
          .flatMap(Arrays::stream)
          .forEach(
              counter -> {
                Limit limit = counter.limit();
                boolean concurrency = limit.algorithm() == Algorithm.CONCURRENCY;
                LimitKey key = caller.key(counter.name());
                if ((!concurrency || holder != 0) && seen.add(key)) {
                  Claim claim = new Claim(limit, key, 1, concurrency ? holder : 0, mode(limit));
                  match.add(new Charge(rule, counter.policy(), claim, enforced(caller)));
                }
              });
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
    Allowance candidate = grants.candidate(request.limits, matched);
    Allowance inForce = inForce(candidate, request, matched);
    Allowance usual = grants.allowance(request.limits, matched);
    Allowance allowance = inForce == null ? usual : inForce;
    Explanation.Caller caller =
        new Explanation.Caller(
            callers.identifying(matched),
            owner(request, matched).hash(),
            Optional.ofNullable(action(request, matched)),
            skipped,
            outside,
            grants.exception(matched));
    return new Explanation(rule, failed, caller, allowance, match);
  }
}
