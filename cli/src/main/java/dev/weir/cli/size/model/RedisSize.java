package dev.weir.cli.size.model;

import java.util.List;

/**
 * The memory of all counters in Redis, and the nodes that have it.
 *
 * @param keys of all limits
 * @param bytes of all nodes
 * @param tableBytes of them in the slots of hash tables
 * @param nodes that memory asks for
 */
public record RedisSize(
    List<LimitSize> limits, long keys, double bytes, double tableBytes, long nodes) {
  /** The part of a node's memory that counters may take. */
  public static final double USED_MEMORY = 0.75;

  /** Takes as many nodes as the counters need, and at least {@code minNodes}. */
  static RedisSize of(List<SizedLimit> limits, SizeSettings settings, long minNodes) {
    double usable = settings.redisMemory() * USED_MEMORY;
    long nodes = minNodes;
    RedisSize size = on(nodes, limits, settings);
    while (size.bytes / nodes > usable) {
      long enough = (long) Math.ceil((size.bytes - size.tableBytes) / usable);
      // Tables do not shrink in proportion: a few nodes more than that may be needed.
      nodes = Math.max(enough, nodes + 1 + nodes / 100);
      size = on(nodes, limits, settings);
    }
    return size;
  }

  private static RedisSize on(long nodes, List<SizedLimit> limits, SizeSettings settings) {
    List<LimitSize> sizes =
        limits.stream().map(limit -> LimitSize.of(limit, settings, nodes > 1)).toList();
    long keys = sizes.stream().mapToLong(LimitSize::inRedis).sum();
    double each =
        sizes.stream().mapToDouble(size -> (double) size.inRedis() * size.redis().each()).sum();
    double tables =
        keys == 0 ? 0 : (double) nodes * RedisKeyBytes.tables((keys + nodes - 1) / nodes);
    return new RedisSize(sizes, keys, each + tables, tables, nodes);
  }

  /** A key's part of the slots of hash tables. */
  public double tablesPerKey() {
    return keys == 0 ? 0 : tableBytes / keys;
  }
}
