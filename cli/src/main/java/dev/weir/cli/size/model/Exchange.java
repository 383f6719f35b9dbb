package dev.weir.cli.size.model;

import dev.weir.Algorithm;
import dev.weir.Mode;
import dev.weir.cli.size.model.MeasuredTables.Work;
import dev.weir.shared.lease.LeasePolicy;
import java.util.List;

/**
 * What servers and Redis exchange per second.
 *
 * @param calls requests of servers to the store
 * @param counters that they ask about
 * @param cores of Redis
 * @param bytesToRedis of the network
 * @param bytesFromRedis of the network
 * @param overshoot by how many permits a limit may be exceeded, at most; for one key
 */
public record Exchange(
    double calls,
    double counters,
    double cores,
    double bytesToRedis,
    double bytesFromRedis,
    long overshoot) {
  /** The part of a core of Redis that decisions may take. */
  public static final double USED_CPU = 0.5;

  private static final double MICROS = 1e6;

  /** An automatic rule leases for a caller with more requests per second at one server. */
  private static final double AUTOMATIC_FROM = 100;

  static Exchange of(
      List<SizedLimit> all, SizeSettings settings, int servers, MeasuredTables tables) {
    List<SizedLimit> limits = all.stream().filter(limit -> !limit.mode().isLocal()).toList();
    double rate = settings.requestsPerSecond();
    boolean simple = limits.stream().allMatch(SizedLimit::isSimple);
    boolean everyRequest = false;
    double counters = 0;
    double[] sums = new double[3];
    long overshoot = 0;
    for (SizedLimit sized : limits) {
      boolean leased = isLeased(sized, settings, servers);
      double asked = leased ? leasedCalls(sized, rate, servers, tables) : rate;
      everyRequest |= !leased;
      counters += asked;
      Work work = tables.work(sized.limit().algorithm());
      Work slow = tables.work(Algorithm.SLIDING_COUNTER);
      // One limit that only claims.lua decides about takes the others of the request along.
      sums[0] += asked * (simple ? work.micros() : Math.max(work.micros(), slow.micros()));
      sums[1] += asked * work.toRedis();
      sums[2] += asked * work.fromRedis();
      boolean exact = !leased || sized.limit().algorithm() == Algorithm.FIXED_WINDOW;
      overshoot = Math.max(overshoot, exact ? 0 : share(sized));
    }
    double calls = limits.isEmpty() ? 0 : everyRequest ? rate : counters;
    return new Exchange(calls, counters, sums[0] / MICROS, sums[1], sums[2], overshoot);
  }

  /** The mode of a limit with leases on: that of its rule if it leases, or else automatic. */
  private static Mode mode(SizedLimit sized) {
    return sized.mode().leases() ? sized.mode() : Mode.automatic();
  }

  private static boolean isLeased(SizedLimit sized, SizeSettings settings, int servers) {
    double each = settings.requestsPerSecond() / ((double) sized.callers() * servers);
    boolean busy = mode(sized).kind() == Mode.Kind.LEASED || each > AUTOMATIC_FROM;
    return settings.leases()
        && busy
        && LeasePolicy.objection(mode(sized), sized.limit(), sized.limit().cost(), servers)
            .isEmpty();
  }

  /** What all servers together may hold of a limit. */
  private static long share(SizedLimit sized) {
    return (long) ((double) sized.limit().capacity() * mode(sized).share() / Mode.WHOLE);
  }

  /**
   * The calls for a leased limit, at most. A lease that is not used up is returned: a caller with
   * one request at a time costs two calls for each. A busy one costs as many as were measured; or,
   * if a server may hold little of a limit, one for each half of that.
   */
  private static double leasedCalls(
      SizedLimit sized, double rate, int servers, MeasuredTables tables) {
    double lanes = (double) sized.callers() * servers;
    double each = rate / lanes;
    double held = (double) share(sized) / servers;
    double busy = Math.max(tables.leaseCalls(), 2 * each / held);
    return Math.min(2 * each, busy) * lanes;
  }
}
