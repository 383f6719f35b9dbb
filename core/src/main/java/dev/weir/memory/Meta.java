package dev.weir.memory;

import dev.weir.Limit;

/**
 * The first word of a row: whether it is in use, whether it is locked, by which limit it counts,
 * and how often it has changed.
 *
 * <p>The count of changes has 37 bits, goes on when a row is emptied and used again, and never goes
 * back, so a word seen twice means that nothing has happened in between. A word of zero is an empty
 * row, as in a new array.
 */
final class Meta {
  /** The number of the limit, or 0 if it has none. */
  private static final long SERIAL = Limit.MAX_SERIAL;

  private static final long LOCKED = SERIAL + 1;

  /** Added for a request that has yet to use it: the hand leaves it alone. */
  private static final long UNBORN = LOCKED << 1;

  private static final long OCCUPIED = LOCKED << 2;
  private static final long CHANGE = LOCKED << 3;

  private Meta() {}

  static boolean isOccupied(long meta) {
    return (meta & OCCUPIED) != 0;
  }

  static boolean isUnborn(long meta) {
    return (meta & UNBORN) != 0;
  }

  /** Whether the row is in use and nobody holds it. */
  static boolean isFree(long meta) {
    return (meta & (OCCUPIED | LOCKED)) == OCCUPIED;
  }

  /** Whether the row is free and was written under this very limit. */
  static boolean isFreeUnder(long meta, Limit limit) {
    int serial = limit.serial();
    return (meta & (OCCUPIED | LOCKED | SERIAL)) == (OCCUPIED | serial) && serial != 0;
  }

  static long locked(long free) {
    return free | LOCKED;
  }

  /** What follows a lock taken at {@code free}. */
  static long next(long free) {
    return (free + CHANGE) & ~UNBORN;
  }

  /** What follows a lock taken at {@code free} if the row counts by {@code limit} from now on. */
  static long next(long free, Limit limit) {
    return (next(free) & ~SERIAL) | limit.serial();
  }

  /** What follows if the row is emptied. */
  static long emptied(long meta) {
    return (meta & -CHANGE) + CHANGE;
  }

  /** What follows if an empty row is put to use. */
  static long occupied(long empty, Limit limit, boolean unborn) {
    return (empty + CHANGE) | OCCUPIED | (unborn ? UNBORN : 0) | limit.serial();
  }

  /** What follows if an empty row takes over from one that was locked at {@code other}. */
  static long takenOver(long empty, long other) {
    return (empty + CHANGE) | OCCUPIED | (other & (SERIAL | UNBORN));
  }
}
