package dev.weir.replay.measure;

import dev.weir.sketch.FrequencySummary;
import dev.weir.sketch.SpaceSaving;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Requests and denials by group: the most frequent groups by their names, and the rest together as
 * {@code other}. Exact until there are more than the maximum. Not safe for use by several threads.
 */
public final class GroupCounts {
  /** The name of what has no group of its own. */
  public static final String OTHER = "other";

  /** A group is distinguished if its count is wrong by less than one part in so many. */
  private static final long MAX_ERROR = 10;

  private final SpaceSaving requests;
  private final SpaceSaving[] denied;
  private final TimeAxis axis;
  private final int maxSeries;
  private final List<Map<Long, long[]>> series = new ArrayList<>();
  private final Map<Long, String> seriesNames = new HashMap<>();

  /**
   * Counts for at most so many groups, and series over time for the first of those with denials.
   */
  public GroupCounts(int runs, int maxGroups, int maxSeries, TimeAxis axis) {
    this.requests = SpaceSaving.of(maxGroups);
    this.denied = new SpaceSaving[runs];
    this.axis = axis;
    this.maxSeries = maxSeries;
    for (int i = 0; i < runs; i++) {
      denied[i] = SpaceSaving.of(maxGroups);
      series.add(new LinkedHashMap<>());
    }
  }

  /** Counts a request of a group. */
  public void addRequest(long group, Supplier<String> name) {
    if (requests.add(group)) {
      requests.note(group, name.get());
    }
  }

  /** Counts a denial of a group. */
  public void addDenied(int run, long group, int bucket, Supplier<String> name) {
    if (denied[run].add(group)) {
      denied[run].note(group, name.get());
    }
    Map<Long, long[]> known = series.get(run);
    long[] counts = known.get(group);
    if (counts == null) {
      long key = known.size() < maxSeries ? group : 0;
      counts = known.computeIfAbsent(key, unused -> axis.newSeries());
      if (key != 0) {
        seriesNames.putIfAbsent(key, name.get());
      }
    }
    counts[bucket]++;
  }

  /** A group with its counts. */
  public record Group(String name, long requests, long denied) {}

  /** All groups of a run, those with the most requests first. */
  public List<Group> groups(int run) {
    Map<Long, Long> deniedByGroup = new HashMap<>();
    for (FrequencySummary.Entry entry : denied[run].summary().entries()) {
      deniedByGroup.put(entry.key(), entry.count() - entry.error());
    }
    List<Group> groups = new ArrayList<>();
    long otherRequests = requests.total();
    long otherDenied = denied[run].total();
    for (FrequencySummary.Entry entry : requests.summary().entries()) {
      if (isKnownWell(entry)) {
        long count = entry.count() - entry.error();
        long denials = Math.min(count, deniedByGroup.getOrDefault(entry.key(), 0L));
        groups.add(new Group(String.valueOf(entry.note()), count, denials));
        otherRequests -= count;
        otherDenied -= denials;
      }
    }
    groups.sort(Comparator.comparingLong(Group::requests).reversed().thenComparing(Group::name));
    if (otherRequests > 0) {
      groups.add(new Group(OTHER, otherRequests, otherDenied));
    }
    return groups;
  }

  /** Whether the count of a group can hardly be that of groups before it. */
  private static boolean isKnownWell(FrequencySummary.Entry entry) {
    return entry.error() <= entry.count() / MAX_ERROR;
  }

  /** The denials over time of the groups of a run that have any, by name. */
  public Map<String, long[]> series(int run) {
    Map<String, long[]> named = new LinkedHashMap<>();
    series
        .get(run)
        .forEach((key, counts) -> named.put(seriesNames.getOrDefault(key, OTHER), counts));
    return named;
  }
}
