package dev.weir.lease;

import dev.weir.Algorithm;
import dev.weir.Limit;
import dev.weir.Mode;
import dev.weir.rule.Percent;
import java.util.Optional;

/** Which limits can be leased, and how much of them. */
public final class Leasable {
  private static final int LEAST = 2;

  private Leasable() {}

  /** A server that may hold less than this takes nothing in advance for requests of such a cost. */
  static long least(long cost) {
    return Math.max(LEAST, cost);
  }

  /** What all servers together may hold of a limit. */
  static long share(Mode mode, Limit limit) {
    long capacity = limit.capacity();
    int share = mode.share();
    return capacity / Mode.WHOLE * share + capacity % Mode.WHOLE * share / Mode.WHOLE;
  }

  /** With less than this left to all, no lease begins: the last permits are for whoever comes. */
  static long enough(Mode mode, Limit limit) {
    return 2 * share(mode, limit);
  }

  /**
   * Why a limit is counted strictly, though the mode would have it leased.
   *
   * @param cost what a request costs, at least
   * @param servers that share it
   */
  public static Optional<String> objection(Mode mode, Limit limit, long cost, int servers) {
    if (!mode.leases()) {
      return Optional.empty();
    }
    if (!mode.suits(limit.algorithm())) {
      boolean queue = limit.algorithm() == Algorithm.LEAKY_BUCKET;
      return Optional.of("a place in " + (queue ? "a queue" : "flight") + " cannot be leased");
    }
    String share = Percent.of(mode.share()) + " of " + limit.capacity();
    if (share(mode, limit) / servers < least(cost)) {
      String among = servers == 1 ? "" : ", among " + servers + " servers,";
      return Optional.of(
          share + among + " is less than " + least(cost) + (servers == 1 ? "" : " each"));
    }
    // Whoever asks has taken something by then.
    return enough(mode, limit) >= limit.capacity()
        ? Optional.of("leases begin while twice the share is left, and never is twice " + share)
        : Optional.empty();
  }
}
