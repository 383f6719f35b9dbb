package dev.weir.cli.size.model;

/**
 * What a plan is for.
 *
 * @param requestsPerSecond of all servers; 0 if unknown
 * @param servers that share the limits; 0 for as many as are needed
 * @param leases whether limits are leased that can be
 * @param fillPercent how full sliding logs and concurrency limits are
 * @param redisMemory bytes of memory of a node
 */
public record SizeSettings(
    long requestsPerSecond,
    int servers,
    boolean leases,
    int fillPercent,
    RedisBuild redis,
    long redisMemory) {

  /** All callers at once, in one node without bounds. */
  public SizeSettings onOneNode() {
    return new SizeSettings(0, 1, leases, fillPercent, redis, Long.MAX_VALUE / 2);
  }

  /** The same for other settings of leases. */
  SizeSettings withLeases(boolean other) {
    return new SizeSettings(requestsPerSecond, servers, other, fillPercent, redis, redisMemory);
  }
}
