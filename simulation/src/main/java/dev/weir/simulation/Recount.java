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

  /** The store granted it, and it is noted as far as there is room. */
  void noted(long micros, Claim claim) {
    if (!isOfPlaces(claim)) {
      Tally now = under(claim.limit(), micros);
      long fits = Math.min(claim.cost(), now.room(micros));
      if (fits > 0) {
        keep(now, claim.limit());
        now.add(micros, fits);
      }
    }
  }

  /** Somebody passes. */
  void passed(long micros, Claim claim) {
    if (isOfPlaces(claim)) {
      places.enter(micros, claim.permit(), claim.limit());
      return;
    }
    Tally now = under(claim.limit(), micros);
    keep(now, claim.limit());
    now.add(micros, claim.cost());
  }

  /** What passed is given back. */
  void givenBack(long micros, Claim claim) {
    if (isOfPlaces(claim)) {
      places.leave(micros, claim.permit());
      return;
    }
    Tally now = under(claim.limit(), micros);
    keep(now, claim.limit());
    now.takeBack(micros, claim.cost());
  }

  /**
   * Whether it is exact. If a clock is set back, nobody sees from outside how late it was when the
   * counter last looked at it; nor, when nothing is in use, whether the counter has been dropped
   * from memory, and its time with it.
   */
  boolean isSure(Wall wall, Limit limit) {
    long latest = wall.latestMicros();
    if (wall.micros() < latest) {
      long least = used(latest, limit);
      if (least == 0 || least < used(wall.micros(), limit)) {
        unsureUntilMicros = latest;
      }
    }
    return wall.micros() >= unsureUntilMicros;
  }

  /** Permits in use, or places. */
  long used(long micros, Limit limit) {
    return limit.algorithm() == Algorithm.CONCURRENCY
        ? places.used(micros)
        : under(limit, micros).used(micros);
  }

  /** Whether a claim fits, by what is in use now and will then still be. */
  boolean fits(long thenMicros, long micros, Claim claim) {
    Limit limit = claim.limit();
    long used = isOfPlaces(claim) ? places.used(thenMicros) : under(limit, micros).used(thenMicros);
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
