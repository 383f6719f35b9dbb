package dev.weir.sketch;

import dev.weir.internal.Rejections;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Counts the most frequent keys of a stream with a fixed number of counters: the algorithm
 * Space-Saving of Metwally, Agrawal and El Abbadi.
 *
 * <p><b>How.</b> As long as there is a free counter, every key gets one and is counted exactly.
 * Then a new key takes over the smallest counter: it continues that count, and notes it as its
 * error. Counters are found by a hash index, and the smallest is the root of a heap, so that an
 * addition takes constant time, or logarithmic in the number of counters if counts change their
 * order.
 *
 * <p><b>Guarantees</b> after N additions with m counters: a key added more than N/m times has a
 * counter; the true number of a key is at most its count, and at least its count less its error; no
 * error is above N/m.
 *
 * <p>Keys are expected to be hashes. Not safe for use by several threads.
 */
public final class SpaceSaving {
  /** How many counters there are at first: most streams have few keys. */
  static final int INITIAL = 16;

  private final int max;
  private final CounterBudget budget;
  private long[] keys = new long[INITIAL];
  private long[] counts = new long[INITIAL];
  private long[] errors = new long[INITIAL];
  private @Nullable Object[] notes = new @Nullable Object[INITIAL];

  /** The counters, ordered as a heap by their counts. */
  private int[] heap = new int[INITIAL];

  /** Where each counter is in the heap. */
  private int[] positions = new int[INITIAL];

  /** A hash table with linear probing: 0 for a free cell, else a counter + 1. */
  private int[] index = new int[cells(INITIAL)];

  private int size;
  private long total;

  /** Whether a key has lost its counter, so that a new one may have been added before. */
  private boolean exhausted;

  /**
   * An empty sketch.
   *
   * @param max the maximum number of counters
   * @param budget bounds the counters of all sketches together
   * @throws IllegalArgumentException if {@code max} is below {@value #INITIAL}
   */
  SpaceSaving(int max, CounterBudget budget) {
    if (max < INITIAL) {
      throw Rejections.of("max", max, "at least " + INITIAL);
    }
    this.max = max;
    this.budget = budget;
    budget.takeAnyway(INITIAL);
  }

  /** An empty sketch with up to {@code max} counters. */
  public static SpaceSaving of(int max) {
    return new SpaceSaving(max, CounterBudget.unlimited());
  }

  /**
   * Adds a key once.
   *
   * @return whether the key had no counter before, so that nothing is {@linkplain #note noted}
   */
  public boolean add(long key) {
    total++;
    int counter = find(key);
    if (counter >= 0) {
      counts[counter]++;
      siftDown(positions[counter]);
      return false;
    }
    if (size < keys.length || grow()) {
      addCounter(key);
    } else {
      takeOverSmallest(key);
    }
    return true;
  }

  /** Notes something about a key for as long as it has a counter. */
  public void note(long key, Object note) {
    int counter = find(key);
    if (counter >= 0) {
      notes[counter] = note;
    }
  }

  /** The number of additions. */
  public long total() {
    return total;
  }

  /** The keys that have counters now. */
  public FrequencySummary summary() {
    List<FrequencySummary.Entry> entries = new ArrayList<>(size);
    for (int i = 0; i < size; i++) {
      entries.add(new FrequencySummary.Entry(keys[i], counts[i], errors[i], notes[i]));
    }
    return new FrequencySummary(entries, exhausted ? counts[heap[0]] : 0, total);
  }

  /** Gives the counters back to the budget; the sketch is not used any more. */
  void release() {
    budget.give(keys.length);
  }

  private void addCounter(long key) {
    int counter = size++;
    keys[counter] = key;
    counts[counter] = 1;
    heap[counter] = counter;
    positions[counter] = counter;
    siftUp(counter);
    insert(counter);
  }

  private void takeOverSmallest(long key) {
    exhausted = true;
    int counter = heap[0];
    remove(keys[counter]);
    keys[counter] = key;
    errors[counter] = counts[counter];
    counts[counter]++;
    notes[counter] = null;
    insert(counter);
    siftDown(0);
  }

  /** Whether there are more counters now; never once a key has lost its counter. */
  private boolean grow() {
    int larger = Math.min(max, 2 * keys.length);
    if (exhausted || larger == keys.length || !budget.take(larger - keys.length)) {
      return false;
    }
    keys = Arrays.copyOf(keys, larger);
    counts = Arrays.copyOf(counts, larger);
    errors = Arrays.copyOf(errors, larger);
    notes = Arrays.copyOf(notes, larger);
    heap = Arrays.copyOf(heap, larger);
    positions = Arrays.copyOf(positions, larger);
    index = new int[cells(larger)];
    for (int counter = 0; counter < size; counter++) {
      insert(counter);
    }
    return true;
  }

  /** A power of two, so that at most half of the cells are in use. */
  private static int cells(int counters) {
    return 2 * Integer.highestOneBit(2 * counters - 1);
  }

  private int cell(long key) {
    long mixed = key * 0x9E3779B97F4A7C15L;
    return (int) (mixed >>> 32) & (index.length - 1);
  }

  private int next(int cell) {
    return (cell + 1) & (index.length - 1);
  }

  /** The counter of a key, or -1. */
  private int find(long key) {
    for (int cell = cell(key); index[cell] != 0; cell = next(cell)) {
      if (keys[index[cell] - 1] == key) {
        return index[cell] - 1;
      }
    }
    return -1;
  }

  private void insert(int counter) {
    int cell = cell(keys[counter]);
    while (index[cell] != 0) {
      cell = next(cell);
    }
    index[cell] = counter + 1;
  }

  /** Removes a key from the index; keys behind it move up, so that no gap ends their search. */
  private void remove(long key) {
    int gap = cell(key);
    while (keys[index[gap] - 1] != key) {
      gap = next(gap);
    }
    for (int cell = next(gap); index[cell] != 0; cell = next(cell)) {
      int wanted = cell(keys[index[cell] - 1]);
      boolean reachable =
          ((cell - wanted) & (index.length - 1)) < ((cell - gap) & (index.length - 1));
      if (!reachable) {
        index[gap] = index[cell];
        gap = cell;
      }
    }
    index[gap] = 0;
  }

  private void siftUp(int from) {
    int at = from;
    int counter = heap[at];
    while (at > 0 && counts[heap[(at - 1) / 2]] > counts[counter]) {
      place(heap[(at - 1) / 2], at);
      at = (at - 1) / 2;
    }
    place(counter, at);
  }

  private void siftDown(int from) {
    int at = from;
    int counter = heap[at];
    for (int child = 2 * at + 1; child < size; child = 2 * at + 1) {
      boolean right = child + 1 < size && counts[heap[child + 1]] < counts[heap[child]];
      int smaller = right ? child + 1 : child;
      if (counts[heap[smaller]] >= counts[counter]) {
        break;
      }
      place(heap[smaller], at);
      at = smaller;
    }
    place(counter, at);
  }

  private void place(int counter, int at) {
    heap[at] = counter;
    positions[counter] = at;
  }
}
