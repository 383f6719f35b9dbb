package dev.weir.shared.lease;

import dev.weir.Algorithm;
import dev.weir.Limit;
import dev.weir.Mode;
import dev.weir.rule.Percent;
import java.util.Optional;

/** Which limits can be leased, and how much of them. */
public final class LeasePolicy {
  private static final int MIN_PERMITS = 2;

  private LeasePolicy() {}

  /** A server that may hold fewer permits than this leases nothing for requests of such a cost. */
  static long minHeld(long cost) {
    return Math.max(MIN_PERMITS, cost);
  }

  /** The permits of a limit that all servers together may hold. */
  static long share(Mode mode, Limit limit) {
    long capacity = limit.capacity();
    int share = mode.share();
    return capacity / Mode.WHOLE * share + capacity % Mode.WHOLE * share / Mode.WHOLE;
  }

  /**
   * With fewer permits than this left in the store no lease begins: the last permits are for the
   * requests that come first, on whatever server.
   */
  static long minRemaining(Mode mode, Limit limit) {
    return 2 * share(mode, limit);
  }

  /**
   * Why a limit is counted strictly although its mode leases; empty if it is leased, or is not to
   * be leased.
   *
   * @param cost the minimum cost of a request
   * @param servers the number of servers that share the limit
   */
  public static Optional<String> objection(Mode mode, Limit limit, long cost, int servers) {
    if (!mode.leases()) {
      return Optional.empty();
    }
    if (!mode.supports(limit.algorithm())) {
      boolean queue = limit.algorithm() == Algorithm.LEAKY_BUCKET;
      return Optional.of("a place in " + (queue ? "a queue" : "flight") + " cannot be leased");
    }
    String share = Percent.of(mode.share()) + " of " + limit.capacity();
    if (share(mode, limit) / servers < minHeld(cost)) {
      String among = servers == 1 ? "" : ", among " + servers + " servers,";
      return Optional.of(
          share + among + " is less than " + minHeld(cost) + (servers == 1 ? "" : " each"));
    }
    // The request that would begin a lease has itself taken something, so equal is too little.
    return minRemaining(mode, limit) >= limit.capacity()
        ? Optional.of("a lease needs twice its share left, and there is never twice " + share)
        : Optional.empty();
  }
}
