package dev.weir.memory;

import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.LimitKey;
import java.time.Duration;
import java.util.List;

/** Shared fixtures: a time, limits, keys, rows, and how to read a decision. */
final class Fixtures {
  static final long NOW_MICROS = 1_700_000_000_000_000L;

  /** A time at which everything spent at {@link #NOW_MICROS} has expired. */
  static final long LATER_MICROS = NOW_MICROS + Duration.ofHours(2).toSeconds() * 1_000_000;

  /** The slot where the search for the keys below starts in a table that has not grown. */
  static final int SLOT = 5;

  /** Three keys whose search starts at the same slot, so that they occupy consecutive slots. */
  static final LimitKey A = keyAtSlot(SLOT, 0);

  static final LimitKey B = keyAtSlot(SLOT, 1);
  static final LimitKey C = keyAtSlot(SLOT, 2);

  private static final Limit PER_HOUR = perHour(9);

  private Fixtures() {}

  static Limit perHour(long permits) {
    return Limit.fixedWindow(permits, Duration.ofHours(1));
  }

  /** A claim on the counter of exactly this key, so that its slot is known. */
  static Claim claim(Limit limit, LimitKey key) {
    return claim(limit, key, 1);
  }

  static Claim claim(Limit limit, LimitKey key, long cost) {
    return new Claim(limit, key, cost, 0);
  }

  /** A store of one segment whose time is always {@link #NOW_MICROS}. */
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
    Rows rows = Rows.ofSlots(Segment.MIN_SLOTS);
    occupy(rows, A, level);
    return rows;
  }

  /** Occupies a row at {@link #SLOT}, as an insertion does. */
  static void occupy(Rows rows, LimitKey key, long level) {
    rows.occupy(SLOT, key.high(), key.low(), level, 0, PER_HOUR, false);
  }

  /** Reads a row without a lock and spends one permit, as a grant does; false on a conflict. */
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

  /** The permits that remain after a grant, or -1 for a denial. */
  static int remainingOrDenied(Decision decision) {
    return decision.allowed() ? (int) decision.remaining() : -1;
  }

  /** The permits that remain for the key; spends nothing. */
  static int peekRemaining(MemoryStore store, Limit limit, LimitKey key) {
    return (int) store.peek(List.of(claim(limit, key, 0))).remaining();
  }

  private static LimitKey keyAtSlot(int slot, int skip) {
    int found = 0;
    for (long low = 1; ; low++) {
      boolean here = Rows.ofSlots(Segment.MIN_SLOTS).emptySlot(Table.slotHash(1, low)) == slot;
      if (here && found++ == skip) {
        return new LimitKey(1, low);
      }
    }
  }
}
