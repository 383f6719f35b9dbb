package dev.weir.cli.size.model;

/**
 * What the counters of a limit take at peak.
 *
 * @param live counters that live at once
 * @param entries of each, if they are lists
 * @param redis bytes of each in Redis, without its part of the tables; none if the mode is local
 * @param heapLog bytes of the log of each in process, without its part of the table
 */
public record LimitSize(
    SizedLimit sized, long live, long entries, RedisKeyBytes redis, long heapLog) {
  private static final RedisKeyBytes NONE = new RedisKeyBytes(0, 0, 0, 0, 0);

  static LimitSize of(SizedLimit sized, SizeSettings settings, boolean cluster) {
    long entries = sized.entries(settings.fillPercent());
    boolean local = sized.mode().isLocal();
    return new LimitSize(
        sized,
        sized.live(settings.requestsPerSecond()),
        entries,
        local ? NONE : RedisKeyBytes.of(sized.limit(), entries, settings.redis(), cluster),
        HeapBytes.log(sized.limit(), entries));
  }

  /** How many of its counters are in Redis. */
  public long inRedis() {
    return sized.mode().isLocal() ? 0 : live;
  }
}
