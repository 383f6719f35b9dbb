package dev.weir.simulation;

import dev.weir.Limit;
import org.jspecify.annotations.Nullable;

/**
 * What one server let pass of one counter that has not flowed back by its own clock, under its part
 * of the limit. When the part changes, what is left goes over to the new one, in whole permits.
 */
final class Debt {
  private @Nullable Limit part;
  private @Nullable Tally tally;
  private long lastMicros = Long.MIN_VALUE;
  private boolean followed = true;
  private boolean mayBeDropped;

  void add(long micros, long permits, Limit newPart) {
    Tally now = tally;
    if (now == null || part == null || !newPart.countsLike(part)) {
      long before = now == null ? 0 : used(micros);
      now = new Tally(newPart);
      now.add(micros, before);
      part = newPart;
      tally = now;
    }
    moveTo(micros);
    mayBeDropped &= !now.isAhead(micros); // in which case it begins anew
    now.add(micros, permits);
  }

  /** At the most. */
  long used(long micros) {
    moveTo(micros);
    return tally == null ? 0 : tally.used(micros);
  }

  /**
   * At the least. If the clock was set back: what was left of it by the latest time it showed; and
   * nothing, once it was set back too far for that to count.
   */
  long surelyUsed(long micros) {
    long used = used(micros);
    long least = followed || tally == null ? used : Math.min(used, tally.used(lastMicros));
    return mayBeDropped ? 0 : least;
  }

  /** From now on there is none. */
  void clear() {
    tally = null;
    followed = true;
    mayBeDropped = false;
    lastMicros = Long.MIN_VALUE;
  }

  /** It is so late by the clock of the server. */
  void moveTo(long micros) {
    followed &= micros >= lastMicros;
    mayBeDropped |= tally != null && tally.isAhead(micros);
    lastMicros = Math.max(lastMicros, micros);
  }
}
