package dev.weir.memory;

/**
 * Where a segment looks next for rows that have expired, and when it is worth looking at all.
 *
 * <p>It looks at a few rows that stand together, which memory delivers together, then leaps: a hand
 * that walked would leave a desert behind it and a crowd in front, where probes run long. It comes
 * to every row once in a turn. A turn that found nothing knows when the next row expires, and the
 * hand rests until then, or for a second at most, because a refund can make a row expire sooner. A
 * clock that is set back wakes it.
 */
final class Hand {
  private static final int ROWS_PER_LEAP = 4;
  private static final int LEAPS = 1;
  private static final int LEAPS_WHEN_FULL = 4;
  private static final long LONGEST_REST_MICROS = 1_000_000;
  private static final long DISCOURAGED_MICROS = 1_000;

  private int slots;
  private int blocks;
  private int stride;
  private int slot;
  private int fruitless;
  private long soonestExpiry;
  private long restsUntil;
  private long discouragedUntil;
  private boolean skips;

  Hand(int slots) {
    reset(slots);
  }

  /** Begins anew on another number of slots. */
  void reset(int slots) {
    this.slots = slots;
    this.blocks = (slots + ROWS_PER_LEAP - 1) / ROWS_PER_LEAP;
    this.stride = stride(blocks);
    this.slot = 0;
    this.restsUntil = 0;
    startTurn();
  }

  /** How far to look this time. */
  int leaps(boolean full, long nowMicros) {
    if (isBefore(restsUntil, LONGEST_REST_MICROS, nowMicros)) {
      return 0;
    }
    if (!full) {
      return LEAPS;
    }
    if (!isBefore(discouragedUntil, DISCOURAGED_MICROS, nowMicros)) {
      return LEAPS_WHEN_FULL;
    }
    skips = !skips;
    return skips ? 0 : LEAPS;
  }

  /**
   * Notes that it found nothing although the table is full. It then looks less for a while: a flood
   * brings it back so often that this loses little, and looking is most of what a flood costs.
   */
  void discourage(long nowMicros) {
    if (!isBefore(discouragedUntil, DISCOURAGED_MICROS, nowMicros)) {
      discouragedUntil = nowMicros + DISCOURAGED_MICROS;
    }
  }

  /** Whether that time is still to come, by a clock that has not been set back since. */
  private static boolean isBefore(long micros, long longestMicros, long nowMicros) {
    return nowMicros < micros && micros - nowMicros <= longestMicros;
  }

  /** The slot to look at. */
  int slot() {
    return slot;
  }

  /** Notes that a row expires then: a new one, or one that was looked at and stays. */
  void note(long expiryMicros) {
    soonestExpiry = Math.min(soonestExpiry, expiryMicros);
    restsUntil = Math.min(restsUntil, expiryMicros);
  }

  /** Notes that a row was dropped and others moved: a turn must begin again to see them all. */
  void startTurn() {
    fruitless = 0;
    soonestExpiry = Long.MAX_VALUE;
  }

  /** Goes on, and tells whether that was a leap. */
  boolean advance(long nowMicros) {
    if (++fruitless == slots) {
      restsUntil = Math.min(soonestExpiry, nowMicros + LONGEST_REST_MICROS);
      startTurn();
    }
    slot++;
    if (slot % ROWS_PER_LEAP != 0 && slot != slots) {
      return false;
    }
    int block = (slot - 1) / ROWS_PER_LEAP + stride;
    slot = (block < blocks ? block : block - blocks) * ROWS_PER_LEAP;
    return true;
  }

  /** About three eighths of the blocks, and without a common divisor, to come to all of them. */
  private static int stride(int blocks) {
    int stride = Math.max(1, blocks / 8 * 3);
    while (commonDivisor(stride, blocks) != 1) {
      stride++;
    }
    return stride;
  }

  private static int commonDivisor(int a, int b) {
    return b == 0 ? a : commonDivisor(b, a % b);
  }
}
