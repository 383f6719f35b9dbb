package dev.weir.replay.run;

import dev.weir.replay.log.LogEntry;
import dev.weir.replay.result.Comparison;
import dev.weir.replay.result.Comparison.Change;
import dev.weir.replay.result.Comparison.Example;
import dev.weir.replay.result.Comparison.RuleDisagreement;
import dev.weir.replay.result.Spread;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Counts where two rule sets disagree, under one spread. For one thread. */
public final class Disagreements {
  private static final int MAX_EXAMPLES = 10;

  private final Positions positions;
  private final Map<Change, TreeMap<String, Long>> byRule = new EnumMap<>(Change.class);
  private final Map<Change, List<Example>> examples = new EnumMap<>(Change.class);
  private long bothAllow;
  private long bothDeny;

  /** Counts nothing yet. */
  public Disagreements(Positions positions) {
    this.positions = positions;
    for (Change change : Change.values()) {
      byRule.put(change, new TreeMap<>());
      examples.put(change, new ArrayList<>());
    }
  }

  /**
   * Adds a request.
   *
   * @param proposed the rule by which the proposed rules deny it; null if they allow it
   * @param current the same of the rules of today
   * @param caller by the rules that deny it
   */
  public void add(
      LogEntry entry,
      @Nullable String proposed,
      @Nullable String current,
      Supplier<String> caller) {
    if (proposed == null && current == null) {
      bothAllow++;
    } else if (proposed != null && current != null) {
      bothDeny++;
    } else if (proposed != null) {
      add(Change.NEWLY_DENIED, proposed, entry, caller);
    } else if (current != null) {
      add(Change.NEWLY_ALLOWED, current, entry, caller);
    }
  }

  private void add(Change change, String rule, LogEntry entry, Supplier<String> caller) {
    Objects.requireNonNull(byRule.get(change)).merge(rule, 1L, Long::sum);
    List<Example> known = Objects.requireNonNull(examples.get(change));
    if (known.size() < MAX_EXAMPLES) {
      known.add(
          new Example(
              change, rule, positions.of(entry), entry.method(), entry.target(), caller.get()));
    }
  }

  /** What was found. */
  public Comparison result(Spread spread) {
    List<RuleDisagreement> rules = new ArrayList<>();
    byRule.forEach(
        (change, counts) ->
            counts.forEach((rule, count) -> rules.add(new RuleDisagreement(change, rule, count))));
    rules.sort(
        Comparator.comparing(RuleDisagreement::change)
            .thenComparing(RuleDisagreement::requests, Comparator.reverseOrder()));
    List<Example> all = new ArrayList<>();
    examples.values().forEach(all::addAll);
    return new Comparison(
        spread,
        bothAllow,
        bothDeny,
        count(Change.NEWLY_DENIED),
        count(Change.NEWLY_ALLOWED),
        rules,
        all);
  }

  private long count(Change change) {
    return Objects.requireNonNull(byRule.get(change)).values().stream()
        .mapToLong(Long::longValue)
        .sum();
  }
}
