package dev.weir.memory;

import dev.weir.Limit;

/**
 * The first word of a row: whether it is occupied, whether it is locked, under which limit it
 * counts, and how often it has changed.
 *
 * <p>The count of changes has 37 bits, continues when a row is emptied and reused, and never
 * decreases, so an unchanged word means that the row did not change in between. A word of zero is
 * an empty row, as in a new array.
 */
final class Meta {
  /** The serial of the limit, or 0 if it has none. */
  private static final long SERIAL = Limit.MAX_SERIAL;

  private static final long LOCKED = SERIAL + 1;

  /** Added by a request that has not used the row yet: neither expiry nor eviction drops it. */
  private static final long PENDING = LOCKED << 1;

  private static final long OCCUPIED = LOCKED << 2;
  private static final long CHANGE = LOCKED << 3;

  private Meta() {}

  static boolean isOccupied(long meta) {
    return (meta & OCCUPIED) != 0;
  }

  static boolean isPending(long meta) {
    return (meta & PENDING) != 0;
  }

  /** Whether the row is occupied and unlocked. */
  static boolean isFree(long meta) {
    return (meta & (OCCUPIED | LOCKED)) == OCCUPIED;
  }

  /** Whether the row is free and was written under this limit object. */
  static boolean isFreeUnder(long meta, Limit limit) {
    int serial = limit.serial();
    return (meta & (OCCUPIED | LOCKED | SERIAL)) == (OCCUPIED | serial) && serial != 0;
  }

  static long locked(long free) {
    return free | LOCKED;
  }

  /** The word after unlocking a row that was locked at {@code free}. */
  static long next(long free) {
    return (free + CHANGE) & ~PENDING;
  }

  /**
   * The word after unlocking a row that was locked at {@code free} and now counts by another limit.
   */
  static long next(long free, Limit limit) {
    return (next(free) & ~SERIAL) | limit.serial();
  }

  /** The word after the row is emptied. */
  static long emptied(long meta) {
    return (meta & -CHANGE) + CHANGE;
  }

  /** The word after an empty row is occupied. */
  static long occupied(long empty, Limit limit, boolean pending) {
    return (empty + CHANGE) | OCCUPIED | (pending ? PENDING : 0) | limit.serial();
  }

  /** The word after a row that was locked at {@code other} moves to an empty row. */
  static long takenOver(long empty, long other) {
    return (empty + CHANGE) | OCCUPIED | (other & (SERIAL | PENDING));
  }
}
