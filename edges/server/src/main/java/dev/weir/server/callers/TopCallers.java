package dev.weir.server.callers;

import dev.weir.sketch.FrequencySummary;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Finds the heaviest callers. Thread-safe; takes milliseconds, so call it on no event loop. */
public final class TopCallers {
  private final CallerSource source;

  /** Of the whole fleet. */
  public static TopCallers ofFleet(FleetCallers fleet) {
    return new TopCallers(fleet);
  }

  TopCallers(CallerSource source) {
    this.source = source;
  }

  /** The heaviest callers of one rule. */
  public List<TopCaller> of(String rule, Kind kind, Window window, int max) {
    FrequencySummary summary = source.callers(rule, kind, window);
    return summary.top(max).stream().map(entry -> TopCaller.of(rule, kind, entry)).toList();
  }

  /** The heaviest callers of several rules together. */
  public List<TopCaller> of(Collection<String> rules, Kind kind, Window window, int max) {
    List<TopCaller> all = new ArrayList<>();
    for (String rule : rules) {
      all.addAll(of(rule, kind, window, max));
    }
    all.sort(Comparator.comparingLong(TopCaller::count).reversed());
    return List.copyOf(all.subList(0, Math.min(max, all.size())));
  }

  /** A caller that was counted within the last hour, with all that is remembered of it. */
  public Optional<TopCaller> find(String rule, long caller) {
    Optional<TopCaller> found = Optional.empty();
    for (Kind kind : Kind.values()) {
      for (FrequencySummary.Entry entry : source.callers(rule, kind, Window.HOUR).entries()) {
        if (entry.key() == caller && (found.isEmpty() || entry.note() != null)) {
          found = Optional.of(TopCaller.of(rule, kind, entry));
        }
      }
    }
    return found;
  }
}
