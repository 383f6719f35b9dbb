package dev.weir.sketch;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The most frequent keys of a stream, each with an upper and a lower bound of its frequency.
 *
 * <p>Summaries of several streams {@linkplain #merge merge} into one of all of them. If each has m
 * entries, or all keys of its stream, the error of the result is at most N/m for N additions in
 * all: a summary is one of Misra and Gries whose counts are all raised by {@link #floor}, and those
 * are mergeable.
 *
 * @param entries the most frequent keys, in no order
 * @param floor what a key without an entry was added at most; 0 if every key has one
 * @param total the number of additions
 */
public record FrequencySummary(List<Entry> entries, long floor, long total) {
  /** By keys where counts are equal, so that the order is always the same. */
  private static final Comparator<Entry> MOST_FREQUENT_FIRST =
      Comparator.comparingLong(Entry::count).reversed().thenComparingLong(Entry::key);

  /** The summary of a stream without keys. */
  public static final FrequencySummary EMPTY = new FrequencySummary(List.of(), 0, 0);

  /**
   * A key.
   *
   * @param count how often it was added at most
   * @param error how much less it may have been
   * @param note what was noted about it
   */
  public record Entry(long key, long count, long error, @Nullable Object note) {
    private Entry plus(Entry other) {
      return new Entry(
          key, count + other.count, error + other.error, note == null ? other.note : note);
    }

    private Entry minus(long floor) {
      return new Entry(key, count - floor, error - floor, note);
    }
  }

  /** Copies the list. */
  public FrequencySummary {
    entries = List.copyOf(entries);
  }

  /** The summary of several streams together, with at most {@code max} entries. */
  public static FrequencySummary merge(List<FrequencySummary> parts, int max) {
    // What each key has above the floors; a part without the key may have added it so often.
    Map<Long, Entry> above = new HashMap<>();
    long floors = 0;
    long total = 0;
    for (FrequencySummary part : parts) {
      for (Entry entry : part.entries) {
        above.merge(entry.key, entry.minus(part.floor), Entry::plus);
      }
      floors += part.floor;
      total += part.total;
    }
    List<Entry> sorted = new ArrayList<>(above.values());
    sorted.sort(MOST_FREQUENT_FIRST);
    long dropped = sorted.size() > max ? sorted.get(max).count : 0;
    List<Entry> kept = new ArrayList<>();
    for (Entry entry : sorted.subList(0, Math.min(max, sorted.size()))) {
      kept.add(entry.minus(-floors));
    }
    return new FrequencySummary(kept, floors + dropped, total);
  }

  /** The most frequent keys, the most frequent one first. */
  public List<Entry> top(int max) {
    List<Entry> sorted = new ArrayList<>(entries);
    sorted.sort(MOST_FREQUENT_FIRST);
    return sorted.subList(0, Math.min(max, sorted.size()));
  }
}
