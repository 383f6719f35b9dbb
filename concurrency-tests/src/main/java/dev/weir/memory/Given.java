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

  private static final int LEAST_SLOTS = 8;

  /** Three keys whose search starts at the same slot, so that they stand in a row. */
  static final LimitKey A = keyAtSlot(5, 0);

  static final LimitKey B = keyAtSlot(5, 1);
  static final LimitKey C = keyAtSlot(5, 2);

  private Given() {}

  static Limit perHour(long permits) {
    return Limit.fixedWindow(permits, Duration.ofHours(1));
  }

  /** A store of one segment in which it is always {@link #NOW_MICROS}. */
  static MemoryStore store() {
    return new MemoryStore(64, () -> NOW_MICROS);
  }

  static CellTable table() {
    return new CellTable(64);
  }

  /** A cell that has spent {@code level} permits in the current window. */
  static Cell cell(LimitKey key, Limit limit, long level) {
    Cell cell = new Cell(key, limit);
    cell.set(level, NOW_MICROS - NOW_MICROS % limit.windowMicros(), cell.log);
    return cell;
  }

  /** What remains after a grant, or -1 for a denial. */
  static int left(Decision decision) {
    return decision.allowed() ? (int) decision.remaining() : -1;
  }

  /** What the key has left, spending nothing. */
  static int standing(MemoryStore store, Limit limit, LimitKey key) {
    return (int) store.look(List.of(Claim.of(limit, key, 0))).remaining();
  }

  private static LimitKey keyAtSlot(int slot, int skip) {
    int found = 0;
    for (long low = 1; ; low++) {
      boolean here = (CellTable.slotHash(CellTable.hash(1, low)) & LEAST_SLOTS - 1) == slot;
      if (here && found++ == skip) {
        return new LimitKey(1, low);
      }
    }
  }
}
