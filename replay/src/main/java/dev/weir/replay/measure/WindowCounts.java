package dev.weir.replay.measure;

import dev.weir.Limit;

/**
 * What each caller asked of one limit, in the current window of the limit's length; and a histogram
 * of all windows that are over.
 *
 * <p><b>How.</b> An open-addressed table of two words for each caller. A caller who comes in a new
 * window adds the count of the last one to the histogram. Where the table is full, the windows that
 * are over leave it first; so it holds no more callers than come in one window. It grows up to a
 * maximum, and then keeps a sample of the callers, chosen by their keys.
 *
 * <p>Not safe for use by several threads. Time must not run back.
 */
public final class WindowCounts {
  private static final int INITIAL_SLOTS = 256;
  private static final long MAX_COUNT = 0xFFFF_FFFFL;

  private final Limit limit;
  private final long maxCallers;
  private final CountHistogram finished = new CountHistogram();

  /** For each slot the key, or 0; and the window in the upper half and the count in the lower. */
  private long[] cells = new long[2 * INITIAL_SLOTS];

  private int size;
  private long sampleMask;
  private long windowStart;
  private long windowEnd;
  private long window;
  private long peak;

  /** Counts for a limit, of at most so many callers in a window. */
  public WindowCounts(Limit limit, long maxCallers) {
    this.limit = limit;
    this.maxCallers = Math.max(INITIAL_SLOTS, maxCallers);
    this.windowStart = Long.MAX_VALUE;
  }

  /**
   * Counts what a caller asks for.
   *
   * @param key of the caller's counter, as good as random
   * @return whether nobody has asked for more in a window before
   */
  public boolean add(long key, long cost, long micros) {
    if (!Hashes.isSampled(key, sampleMask)) {
      return false;
    }
    if (micros >= windowEnd || micros < windowStart) {
      enter(micros);
    }
    long known = key == 0 ? 1 : key;
    int at = find(known);
    long count = cost;
    if (cells[at] == 0) {
      if (2 * ++size > cells.length / 2) {
        makeRoom();
        if (!Hashes.isSampled(known, sampleMask)) {
          return false;
        }
        at = find(known);
        size++;
      }
      cells[at] = known;
    } else if (cells[at + 1] >>> 32 == window) {
      count += cells[at + 1] & MAX_COUNT;
    } else {
      finished.add(cells[at + 1] & MAX_COUNT);
    }
    count = Math.min(MAX_COUNT, count);
    cells[at + 1] = window << 32 | count;
    if (count <= peak) {
      return false;
    }
    peak = count;
    return true;
  }

  private void enter(long micros) {
    windowStart = limit.windowStartMicros(micros);
    windowEnd = limit.windowEndMicros(windowStart);
    window = windowStart / Math.min(1_000_000, limit.windowMicros()) & MAX_COUNT;
  }

  /** The index of the key's cell, or of the empty one where it would be. */
  private int find(long key) {
    int mask = cells.length - 1;
    int at = (int) (key ^ key >>> 32) << 1 & mask;
    while (cells[at] != 0 && cells[at] != key) {
      at = at + 2 & mask;
    }
    return at;
  }

  private void makeRoom() {
    long[] old = cells;
    int live = 0;
    for (int i = 0; i < old.length; i += 2) {
      if (old[i] != 0 && old[i + 1] >>> 32 != window) {
        finished.add(old[i + 1] & MAX_COUNT);
        old[i] = 0;
      } else if (old[i] != 0) {
        live++;
      }
    }
    if (live >= maxCallers) {
      sampleMask = 2 * sampleMask + 1;
    }
    boolean crowded = 8L * live > old.length && live < maxCallers;
    cells = new long[crowded ? 2 * old.length : old.length];
    size = 0;
    for (int i = 0; i < old.length; i += 2) {
      if (old[i] != 0 && Hashes.isSampled(old[i], sampleMask)) {
        int at = find(old[i]);
        cells[at] = old[i];
        cells[at + 1] = old[i + 1];
        size++;
      }
    }
  }

  /** The histogram of all windows, those that are not over included. To be called once. */
  public CountHistogram finish() {
    for (int i = 0; i < cells.length; i += 2) {
      if (cells[i] != 0) {
        finished.add(cells[i + 1] & MAX_COUNT);
      }
    }
    cells = new long[2 * INITIAL_SLOTS];
    size = 0;
    return finished;
  }

  /** The most that a caller asked for in a window. */
  public long peak() {
    return peak;
  }

  /** Which share of the callers is counted: one in so many. */
  public long sampledOneIn() {
    return sampleMask + 1;
  }
}
