package dev.weir.memory;

/**
 * The clock hand of a segment's expiry: which row to examine next, and whether it is worth it now.
 *
 * <p>The hand examines a few adjacent rows, which memory delivers together, then leaps: a hand that
 * moved slot by slot would leave empty slots behind it and a cluster in front, where probes run
 * long. It reaches every row once per turn. A turn that found nothing knows when the next row
 * expires, and the hand rests until then, or for a second at most, because a refund can make a row
 * expire sooner. A clock that is set back wakes it.
 *
 * <p>Guarded by the lock of the segment.
 */
final class ExpiryClockHand {
  private static final int ROWS_PER_LEAP = 4;
  private static final int LEAPS = 1;
  private static final int LEAPS_WHEN_FULL = 4;
  private static final long MAX_REST_MICROS = 1_000_000;
  private static final long BACKOFF_MICROS = 1_000;

  private int slots;
  private int blocks;
  private int stride;
  private int slot;
  private int fruitless;
  private long soonestExpiry;
  private long restsUntil;
  private long backoffUntil;
  private boolean skips;

  ExpiryClockHand(int slots) {
    reset(slots);
  }

  /** Restarts on another number of slots. */
  void reset(int slots) {
    this.slots = slots;
    this.blocks = (slots + ROWS_PER_LEAP - 1) / ROWS_PER_LEAP;
    this.stride = stride(blocks);
    this.slot = 0;
    this.restsUntil = 0;
    startTurn();
  }

  /** How many leaps to make this time. */
  int leaps(boolean full, long nowMicros) {
    if (isBefore(restsUntil, MAX_REST_MICROS, nowMicros)) {
      return 0;
    }
    if (!full) {
      return LEAPS;
    }
    if (!isBefore(backoffUntil, BACKOFF_MICROS, nowMicros)) {
      return LEAPS_WHEN_FULL;
    }
    skips = !skips;
    return skips ? 0 : LEAPS;
  }

  /**
   * Backs off for a while, because the hand found nothing although the table is full. A flood of
   * keys moves the hand so often that this loses little, and the search is most of a flood's cost.
   */
  void backOff(long nowMicros) {
    if (!isBefore(backoffUntil, BACKOFF_MICROS, nowMicros)) {
      backoffUntil = nowMicros + BACKOFF_MICROS;
    }
  }

  /** Whether now is before {@code micros}, by a clock that has not been set back since. */
  private static boolean isBefore(long micros, long maxMicros, long nowMicros) {
    return nowMicros < micros && micros - nowMicros <= maxMicros;
  }

  /** The slot to examine. */
  int slot() {
    return slot;
  }

  /** Records the expiry of a row: a new one, or one that was examined and stays. */
  void recordExpiry(long expiryMicros) {
    soonestExpiry = Math.min(soonestExpiry, expiryMicros);
    restsUntil = Math.min(restsUntil, expiryMicros);
  }

  /** Starts a new turn, because a row was dropped and others moved: only that sees them all. */
  void startTurn() {
    fruitless = 0;
    soonestExpiry = Long.MAX_VALUE;
  }

  /** Advances to the next slot; true if that was a leap. */
  boolean advance(long nowMicros) {
    if (++fruitless == slots) {
      restsUntil = Math.min(soonestExpiry, nowMicros + MAX_REST_MICROS);
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

  /** About three eighths of the blocks, and coprime to their number, to reach all of them. */
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
