package dev.weir.simulation;

import dev.weir.Algorithm;
import dev.weir.Claim;
import dev.weir.Limit;
import org.jspecify.annotations.Nullable;

/**
 * What one server counts of one counter by itself, counted again from outside: by the server's
 * clock, under its part of the limit, by the plain arithmetic of the algorithm.
 *
 * <p>It is exact, so it tells of both: whoever passes fits, and whoever fits passes. When the part
 * changes, what is in use goes over to the new one with the next that is counted.
 */
final class Recount {
  private final Places places = new Places();
  private @Nullable Limit part;
  private @Nullable Tally tally;
  private long unsureUntilMicros = Long.MIN_VALUE;
  private int setBackBefore;
  private boolean mayBeDropped;

  /** The store granted it, and it is noted as far as there is room. */
  void noted(Wall wall, Claim claim) {
    long micros = wall.micros();
    if (!isOfPlaces(claim)) {
      Tally now = under(claim.limit(), micros);
      long fits = Math.min(claim.cost(), now.room(micros));
      if (fits > 0) {
        change(wall, claim.limit());
        keep(now, claim.limit());
        now.add(micros, fits);
      }
    }
  }

  /** Somebody passes. */
  void passed(Wall wall, Claim claim) {
    long micros = wall.micros();
    change(wall, claim.limit());
    if (isOfPlaces(claim)) {
      places.enter(micros, claim.permit(), claim.limit());
      return;
    }
    Tally now = under(claim.limit(), micros);
    keep(now, claim.limit());
    now.add(micros, claim.cost());
  }

  /** What passed is given back. */
  void givenBack(Wall wall, Claim claim) {
    long micros = wall.micros();
    change(wall, claim.limit());
    if (isOfPlaces(claim)) {
      places.leave(micros, claim.permit(), claim.limit());
      return;
    }
    Tally now = under(claim.limit(), micros);
    keep(now, claim.limit());
    now.takeBack(micros, claim.cost());
  }

  private void change(Wall wall, Limit limit) {
    seeWhetherDropped(wall, limit);
    setBackBefore = wall.timesSetBack();
  }

  /**
   * Whether it is exact. If a clock is set back, nobody sees from outside how late it was when the
   * counter last looked at it; nor, when nothing is in use, whether the counter has been dropped
   * from memory, and its time with it.
   */
  boolean isSure(Wall wall, Limit limit) {
    seeWhetherDropped(wall, limit);
    long latest = wall.latestMicros();
    if (wall.micros() < latest) {
      long least = used(latest, limit);
      if (least == 0 || least < used(wall.micros(), limit)) {
        unsureUntilMicros = latest;
      }
    }
    return !mayBeDropped && wall.micros() >= unsureUntilMicros;
  }

  /**
   * A counter that was too far ahead of the clock since it was last changed may have been dropped.
   * That is all the same while it still is, and once nothing of it would be in use.
   */
  private void seeWhetherDropped(Wall wall, Limit limit) {
    long now = wall.micros();
    if (isAhead(now, limit)) {
      mayBeDropped = false;
    } else if (isAhead(wall.earliestSince(setBackBefore), limit)) {
      mayBeDropped = true;
    } else if (now >= wall.latestMicros() && used(now, limit) == 0) {
      mayBeDropped = false;
    }
  }

  private boolean isAhead(long micros, Limit limit) {
    Tally kept = tally;
    return limit.algorithm() == Algorithm.CONCURRENCY
        ? places.isAhead(micros, limit)
        : kept != null && kept.isAhead(micros);
  }

  /** Permits in use, or places. */
  long used(long micros, Limit limit) {
    return limit.algorithm() == Algorithm.CONCURRENCY
        ? places.used(micros, limit)
        : under(limit, micros).used(micros);
  }

  /** Whether a claim fits, by what is in use now and will then still be. */
  boolean fits(long thenMicros, long micros, Claim claim) {
    Limit limit = claim.limit();
    long used =
        isOfPlaces(claim) ? places.used(thenMicros, limit) : under(limit, micros).used(thenMicros);
    return used + claim.cost() <= limit.capacity();
  }

  private static boolean isOfPlaces(Claim claim) {
    return claim.limit().algorithm() == Algorithm.CONCURRENCY;
  }

  private Tally under(Limit limit, long micros) {
    Tally before = tally;
    if (before == null || part == null) {
      return new Tally(limit);
    }
    return part.countsLike(limit) ? before : before.under(limit, micros);
  }

  private void keep(Tally now, Limit limit) {
    part = limit;
    tally = now;
  }
}
