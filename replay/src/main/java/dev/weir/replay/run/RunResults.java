package dev.weir.replay.run;

import dev.weir.replay.measure.CallerTable;
import dev.weir.replay.measure.GroupCounts;
import dev.weir.replay.measure.TimeAxis;
import dev.weir.replay.result.CallerPopulation;
import dev.weir.replay.result.DeniedSeries;
import dev.weir.replay.result.GroupOutcomes;
import dev.weir.replay.result.Grouping;
import dev.weir.replay.result.HurtCallers;
import dev.weir.replay.result.HurtCallers.HurtCaller;
import dev.weir.replay.result.RunResult;
import dev.weir.sketch.FrequencySummary;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;

/** Makes results of what the runs of one rule set have counted. */
final class RunResults {
  private static final int MAX_WORST = 100;
  private static final double PERCENT = 100;

  private final CallerTable callers;
  private final float[] usual;
  private final TimeAxis axis;
  private final double hurtShare;

  /** Results from the table of all callers, and their usual rates in order. */
  RunResults(CallerTable callers, float[] usual, TimeAxis axis, double hurtShare) {
    this.callers = callers;
    this.usual = usual;
    this.axis = axis;
    this.hurtShare = hurtShare;
  }

  CallerPopulation population(List<String> identities) {
    return new CallerPopulation(
        identities,
        (long) callers.size() * callers.sampledOneIn(),
        callers.sampledOneIn(),
        percentile(0.50),
        percentile(0.95),
        percentile(0.99),
        percentile(1));
  }

  private double percentile(double share) {
    return usual.length == 0 ? 0 : usual[Math.max(0, (int) Math.ceil(share * usual.length) - 1)];
  }

  RunResult of(Run run, int index, GroupCounts routes, GroupCounts kinds, FrequencySummary names) {
    List<GroupOutcomes> groups = new ArrayList<>();
    List<DeniedSeries> series = new ArrayList<>();
    series.add(series(Grouping.ALL, "", run.deniedOverTime()));
    for (RuleTally tally : run.tallies()) {
      long[] counts = tally.series();
      if (counts != null) {
        series.add(series(Grouping.RULE, tally.rule().name(), counts));
      }
    }
    addGroups(Grouping.ROUTE, routes, index, groups, series);
    addGroups(Grouping.KIND, kinds, index, groups, series);
    return new RunResult(
        run.spread(),
        run.requests(),
        run.denied(),
        run.tallies().stream().map(RuleTally::result).toList(),
        groups,
        hurt(index, names),
        series);
  }

  private void addGroups(
      Grouping grouping,
      GroupCounts counts,
      int run,
      List<GroupOutcomes> groups,
      List<DeniedSeries> series) {
    for (GroupCounts.Group group : counts.groups(run)) {
      groups.add(new GroupOutcomes(grouping, group.name(), group.requests(), group.denied()));
    }
    counts.series(run).forEach((name, denied) -> series.add(series(grouping, name, denied)));
  }

  private DeniedSeries series(Grouping grouping, String name, long[] counts) {
    return new DeniedSeries(grouping, name, axis.used(counts));
  }

  /** A caller who is hurt, before it has a name. */
  private record Candidate(long hash, long requests, long denied, double usual, long peak) {}

  private HurtCallers hurt(int run, FrequencySummary names) {
    Comparator<Candidate> byDenied =
        Comparator.comparingLong(Candidate::denied)
            .thenComparing(Candidate::requests, Comparator.reverseOrder())
            .thenComparingLong(Candidate::hash);
    PriorityQueue<Candidate> worst = new PriorityQueue<>(byDenied);
    long[] counts = new long[2];
    callers.forEachDenied(
        run,
        caller -> {
          counts[1]++;
          if (caller.denied(run) > hurtShare * caller.requests()) {
            counts[0]++;
            worst.add(
                new Candidate(
                    caller.hash(),
                    caller.requests(),
                    caller.denied(run),
                    caller.usualPerMinute(),
                    caller.peakPerMinute()));
            if (worst.size() > MAX_WORST) {
              worst.remove();
            }
          }
        });
    Map<Long, String> named = new HashMap<>();
    names.entries().forEach(entry -> named.put(entry.key(), String.valueOf(entry.note())));
    List<HurtCaller> listed =
        worst.stream().sorted(byDenied.reversed()).map(one -> caller(one, named)).toList();
    int factor = callers.sampledOneIn();
    return new HurtCallers(hurtShare, counts[0] * factor, counts[1] * factor, listed);
  }

  private HurtCaller caller(Candidate one, Map<Long, String> named) {
    return new HurtCaller(
        named.getOrDefault(one.hash, "unknown"),
        one.requests,
        one.denied,
        one.usual,
        PERCENT * atMost((float) one.usual) / usual.length,
        one.peak);
  }

  /** How many callers have at most this usual rate. */
  private int atMost(float rate) {
    int low = 0;
    int high = usual.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (usual[middle] <= rate) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
