package dev.weir.memory;

import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.LimitKey;
import java.time.Duration;
import java.util.List;

/** What the tests have in common: a moment, limits, keys, and how to read a decision. */
final class Given {
  static final long NOW_MICROS = 1_700_000_000_000_000L;

  /** When whatever was spent at {@link #NOW_MICROS} has been forgotten. */
  static final long LATER_MICROS = NOW_MICROS + Duration.ofHours(2).toSeconds() * 1_000_000;

  /** Where the search for the keys below starts in a table that has not grown. */
  static final int SLOT = 5;

  /** Three keys whose search starts at the same slot, so that they stand in a row. */
  static final LimitKey A = keyAtSlot(SLOT, 0);

  static final LimitKey B = keyAtSlot(SLOT, 1);
  static final LimitKey C = keyAtSlot(SLOT, 2);

  private static final Limit PER_HOUR = perHour(9);

  private Given() {}

  static Limit perHour(long permits) {
    return Limit.fixedWindow(permits, Duration.ofHours(1));
  }

  /** A claim on the counter of just this key, so that it stands where the test wants it. */
  static Claim claim(Limit limit, LimitKey key) {
    return claim(limit, key, 1);
  }

  static Claim claim(Limit limit, LimitKey key, long cost) {
    return new Claim(limit, key, cost, 0);
  }

  /** A store of one segment in which it is always {@link #NOW_MICROS}. */
  static MemoryStore store() {
    return new MemoryStore(64, () -> NOW_MICROS);
  }

  static Table table() {
    return new Table(64);
  }

  /** A row to be added that has spent {@code level} permits in the current window. */
  static Row row(LimitKey key, Limit limit, long level) {
    Row row = Row.unplaced(key, limit);
    row.set(level, NOW_MICROS - NOW_MICROS % limit.windowMicros(), row.log);
    return row;
  }

  /** Rows in which {@link #A} has spent {@code level} permits, at {@link #SLOT}. */
  static Rows rows(long level) {
    Rows rows = Rows.ofSlots(Segment.LEAST_SLOTS);
    occupy(rows, A, level);
    return rows;
  }

  /** Puts a row to use at {@link #SLOT}, as an insertion does. */
  static void occupy(Rows rows, LimitKey key, long level) {
    rows.occupy(SLOT, key.high(), key.low(), level, 0, PER_HOUR, false);
  }

  /** Reads a row as it is and spends one permit as a grant does; false if it met somebody. */
  static boolean increment(Rows rows) {
    long meta = rows.meta(SLOT);
    boolean found = Meta.isFree(meta) && rows.holds(SLOT, A.high(), A.low());
    long next = rows.level(SLOT) + 1;
    if (!found || !rows.tryLock(SLOT, meta)) {
      return false;
    }
    rows.write(SLOT, next, 0);
    rows.unlock(SLOT, Meta.next(meta));
    return true;
  }

  /** What remains after a grant, or -1 for a denial. */
  static int left(Decision decision) {
    return decision.allowed() ? (int) decision.remaining() : -1;
  }

  /** What the key has left, spending nothing. */
  static int standing(MemoryStore store, Limit limit, LimitKey key) {
    return (int) store.look(List.of(claim(limit, key, 0))).remaining();
  }

  private static LimitKey keyAtSlot(int slot, int skip) {
    int found = 0;
    for (long low = 1; ; low++) {
      boolean here = Rows.ofSlots(Segment.LEAST_SLOTS).emptySlot(Table.slotHash(1, low)) == slot;
      if (here && found++ == skip) {
        return new LimitKey(1, low);
      }
    }
  }
}
