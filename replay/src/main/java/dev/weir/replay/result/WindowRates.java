package dev.weir.replay.result;

/**
 * What callers asked for in a window, over all callers and all windows in which they asked at all.
 *
 * @param windows how many pairs of a caller and a window there are
 * @param p50 half of the windows have at most so many permits
 * @param p95 the same for 95 %
 * @param p99 the same for 99 %
 * @param peak the most that a caller asked for in a window
 * @param deniesOnePerMille the lowest limit of fixed windows that would deny at most 0.1 % of what
 *     was asked for
 * @param deniesOnePercent the same for 1 %
 */
public record WindowRates(
    long windows,
    long p50,
    long p95,
    long p99,
    Peak peak,
    long deniesOnePerMille,
    long deniesOnePercent) {
  /**
   * The most that a caller asked for in a window.
   *
   * @param permits how many
   * @param at the request that made it so many
   */
  public record Peak(long permits, LogPosition at) {}
}
