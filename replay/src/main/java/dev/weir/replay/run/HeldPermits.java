package dev.weir.replay.run;

import dev.weir.Algorithm;
import dev.weir.Claim;
import dev.weir.limiter.Limiter;
import dev.weir.rule.book.Charge;
import dev.weir.rule.book.Match;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Concurrency permits of requests in flight, in the order of their ends. Those that the store has
 * let expire are released all the same, which has no effect. For one thread.
 */
final class HeldPermits {
  private final PriorityQueue<Held> byEnd = new PriorityQueue<>();
  private long added;

  /** Permits until the end of their request. */
  private record Held(long endMicros, long order, List<Claim> claims) implements Comparable<Held> {
    @Override
    public int compareTo(Held other) {
      int byEnd = Long.compare(endMicros, other.endMicros);
      return byEnd == 0 ? Long.compare(order, other.order) : byEnd;
    }
  }

  /** Remembers the permits of a request that was allowed, shadow rules included. */
  void add(Match match, long endMicros) {
    List<Claim> claims = new ArrayList<>(1);
    addPermits(match.charges(), claims);
    addPermits(match.shadows(), claims);
    if (!claims.isEmpty()) {
      byEnd.add(new Held(endMicros, added++, claims));
    }
  }

  private static void addPermits(List<Charge> charges, List<Claim> claims) {
    for (Charge charge : charges) {
      if (charge.claim().limit().algorithm() == Algorithm.CONCURRENCY) {
        claims.add(charge.claim());
      }
    }
  }

  /** Releases what has ended at a moment, or before; the clock stands at each end in turn. */
  void release(long untilMicros, VirtualClock clock, Limiter limiter) {
    for (Held next = byEnd.peek();
        next != null && next.endMicros <= untilMicros;
        next = byEnd.peek()) {
      byEnd.remove();
      clock.moveTo(next.endMicros);
      var unused = limiter.release(next.claims);
    }
  }
}
