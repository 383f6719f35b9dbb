package dev.weir.rule;

import dev.weir.Algorithm;
import dev.weir.CalendarWindow;
import dev.weir.Claim;
import dev.weir.Descriptor;
import dev.weir.Limit;
import dev.weir.LimitKey;
import dev.weir.Mode;
import dev.weir.key.KeySpace;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A rule that knows where in a descriptor to look. */
final class CompiledRule {
  private static final int NOWHERE = -1;

  private final Rule rule;

  /** Asked only because the index cannot tell. */
  private final List<Condition> open;

  private final int[] openIndexes;
  private final MatchedPaths paths;
  private final Callers callers;
  private final int owner;
  private final KeySpace keys;

  /** Whose counters, where a rule counts all requests together. */
  private final KeySpace.@Nullable Owner everybody;

  private final KeySpace.Name side;
  private final IdentityHashMap<Allowance, Counter[]> counters = new IdentityHashMap<>();
  private final Specials specials;
  private final @Nullable Tiers tiers;
  private final Specials tierTable;
  private final int tierIndex;
  private final int costIndex;

  CompiledRule(
      Rule rule, @Nullable Condition filed, Descriptor.Names names, int owner, KeySpace keys) {
    this.rule = rule;
    this.open = rule.match().stream().filter(one -> !one.equals(filed)).toList();
    this.openIndexes = open.stream().mapToInt(one -> names.list().indexOf(one.name())).toArray();
    this.paths = new MatchedPaths(rule, names);
    this.callers = new Callers(rule.per(), names);
    this.owner = owner;
    this.keys = keys;
    this.everybody = rule.per().isEmpty() ? keys.owner() : null;
    this.specials = new Specials(rule.specials(), callers, names);
    this.tiers = rule.tiers().orElse(null);
    this.tierTable = new Specials(rule.tiers().map(Tiers::table).orElse(List.of()), callers, names);
    this.tierIndex = indexOf(rule.tiers().map(Tiers::value).orElse(null), names);
    this.costIndex = indexOf(rule.cost().value(), names);
    this.side = keys.name(rule.name());
    boolean several = rule.allowances().stream().anyMatch(one -> one.limits().size() > 1);
    for (Allowance allowance : rule.allowances()) {
      counters.put(allowance, counters(allowance, several));
    }
  }

  /** What one limit of an allowance is called: towards clients, and among the caller's counters. */
  private record Counter(Policy policy, KeySpace.Name name) {
    Limit limit() {
      return policy.limit();
    }
  }

  /**
   * Counters of a rule with several are known by their windows, so that adding, removing and
   * reordering limits leaves the others' counts alone, and a caller who changes tiers keeps them. A
   * single one has the name of its rule alone, and so keeps its count when its window changes.
   */
  private Counter[] counters(Allowance allowance, boolean several) {
    Map<String, Integer> seen = new HashMap<>();
    return allowance.limits().stream()
        .map(
            limit -> {
              String window = several ? window(limit) : "";
              int same = seen.merge(window, 1, Integer::sum);
              String called = same == 1 ? window : window + "-" + same;
              String policy = several ? rule.name() + "-" + called : rule.name();
              KeySpace.Name name = keys.name(rule.name() + "#" + called);
              Limit kept = rule.kept(limit).ofRule(rule.name());
              return new Counter(new Policy(policy, kept), name);
            })
        .toArray(Counter[]::new);
  }

  private static String window(Limit limit) {
    if (limit.algorithm() == Algorithm.CONCURRENCY) {
      return "concurrent";
    }
    long millis = limit.windowMicros() / 1_000;
    return limit
        .calendar()
        .map(CalendarWindow::unit)
        .orElse(millis % 1_000 == 0 ? millis / 1_000 + "s" : millis + "ms");
  }

  private static int indexOf(@Nullable String name, Descriptor.Names names) {
    return name == null ? NOWHERE : names.list().indexOf(name);
  }

  /** Whether a rule that the index has found applies. */
  boolean matches(Descriptor descriptor) {
    for (int i = 0; i < openIndexes.length; i++) {
      if (!holds(open.get(i), openIndexes[i], descriptor)) {
        return false;
      }
    }
    return true;
  }

  private boolean holds(Condition condition, int index, Descriptor descriptor) {
    return paths.holds(condition, index, descriptor);
  }

  void claim(Request request, Match match) {
    if (!paths.areSeveral(request.descriptor)) {
      claim(request, request.descriptor, match);
      return;
    }
    Set<LimitKey> counted = new HashSet<>(); // no caller twice, if it is known by something else
    for (Descriptor reading : paths.of(request.descriptor)) {
      if (counted.add(owner(request, reading).key(side))) {
        claim(request, reading, match);
      }
    }
  }

  private void claim(Request request, Descriptor descriptor, Match match) {
    if (rule.whenAbsent() == Rule.WhenAbsent.SKIP && callers.lacksPart(descriptor)) {
      return;
    }
    if (isOutside(request, descriptor)) {
      return;
    }
    Allowance allowance = allowance(descriptor);
    if (allowance.blocked()) {
      match.block(rule, enforced(owner(request, descriptor)));
      return;
    }
    List<Limit> limits = allowance.limits();
    if (limits.isEmpty()) {
      return;
    }
    long cost = rule.cost().of(costIndex == NOWHERE ? null : descriptor.value(costIndex));
    KeySpace.Owner whose = owner(request, descriptor);
    boolean enforced = enforced(whose);
    Counter[] kept = Objects.requireNonNull(counters.get(allowance));
    for (int i = 0; i < limits.size(); i++) {
      Limit limit = kept[i].limit();
      boolean holds = limit.algorithm() == Algorithm.CONCURRENCY;
      if (!holds || request.permit != 0) {
        LimitKey key = whose.key(kept[i].name);
        Claim claim = new Claim(limit, key, cost, holds ? request.permit : 0, mode(limit));
        match.add(rule, kept[i].policy, claim, enforced);
      }
    }
  }

  /** One rule may have limits that can be leased beside some that cannot. */
  private Mode mode(Limit limit) {
    return rule.mode().suits(limit.algorithm()) ? rule.mode() : Mode.STRICT;
  }

  @SuppressWarnings("ReferenceEquality") // only what was read otherwise is another one
  private KeySpace.Owner owner(Request request, Descriptor descriptor) {
    if (descriptor != request.descriptor) {
      return callers.owner(descriptor, keys); // not what other rules share
    }
    KeySpace.Owner known = everybody == null ? request.owners[owner] : everybody;
    if (known == null) {
      known = callers.owner(request.descriptor, keys);
      request.owners[owner] = known;
    }
    return known;
  }

  /** Whether the caller is none of those of whom the rule takes notice. */
  private boolean isOutside(Request request, Descriptor descriptor) {
    return rule.applied() != Rule.WHOLE && !isAmong(rule.applied(), owner(request, descriptor));
  }

  private boolean enforced(KeySpace.Owner whose) {
    return isAmong(rule.enforced(), whose);
  }

  /**
   * A caller stays on its side of a rollout, with all its limits, and on another side of another
   * rule's: what its keys share decides, and the rule's name, both as good as random.
   */
  private boolean isAmong(int share, KeySpace.Owner whose) {
    if (share == Rule.WHOLE || share == 0) {
      return share != 0;
    }
    long random = whose.key(side).high() ^ side.low();
    return Long.remainderUnsigned(random, Rule.WHOLE) < share;
  }

  private Allowance allowance(Descriptor descriptor) {
    Special special = specials.find(descriptor);
    if (special == null) {
      return usual(descriptor);
    }
    return special.entitlement() instanceof Multiple multiple
        ? rule.times(multiple, usual(descriptor))
        : (Allowance) special.entitlement();
  }

  /** What the caller is allowed who is no exception. */
  private Allowance usual(Descriptor descriptor) {
    if (tiers == null) {
      return rule.allowance();
    }
    Special listed = tierTable.find(descriptor);
    if (listed != null && listed.entitlement() instanceof Allowance tier) {
      return tier;
    }
    String told = tierIndex == NOWHERE ? null : descriptor.value(tierIndex);
    return tiers.allowance(told);
  }

  Explanation explain(Request request) {
    Descriptor descriptor = request.descriptor;
    Descriptor matched = paths.of(descriptor).get(0);
    List<Explanation.Failed> failed = new ArrayList<>();
    for (Condition condition : rule.match()) {
      String value = descriptor.value(condition.name());
      if (!holds(condition, descriptor.names().list().indexOf(condition.name()), descriptor)) {
        failed.add(new Explanation.Failed(condition, value));
      }
    }
    List<String> caller = callers.identifying(matched);
    Match match = new Match();
    if (failed.isEmpty()) {
      claim(request, match);
    }
    boolean skipped = rule.whenAbsent() == Rule.WhenAbsent.SKIP && callers.lacksPart(matched);
    boolean outside = isOutside(request, matched);
    Optional<Special> special =
        Optional.ofNullable(specials.find(matched)).or(() -> listed(matched));
    Allowance allowance = allowance(matched);
    return new Explanation(rule, failed, caller, skipped, outside, special, allowance, match);
  }

  private Optional<Special> listed(Descriptor descriptor) {
    return Optional.ofNullable(tierTable.find(descriptor));
  }
}
