package dev.weir.cli.size.model;

import java.util.List;

/**
 * What some limits take: memory, calls, nodes and servers.
 *
 * @param redis the memory in Redis
 * @param heap the memory in a process that counts by itself
 * @param strict the exchange with leases off
 * @param leased the exchange with leases on
 * @param servers how many share the limits
 */
public record SizePlan(
    SizeSettings settings,
    RedisSize redis,
    HeapSize heap,
    Exchange strict,
    Exchange leased,
    int servers) {
  /** The cores of a server, if nobody says how many servers there are. */
  public static final int CORES_PER_SERVER = 4;

  /** The plan of some limits, of which each applies to every request. */
  public static SizePlan of(List<SizedLimit> limits, SizeSettings settings, MeasuredTables tables) {
    int servers = settings.servers();
    if (servers == 0) {
      double cores = edgeCores(settings, tables);
      servers = (int) Math.max(1, Math.ceil(cores / CORES_PER_SERVER));
    }
    Exchange strict = Exchange.of(limits, settings.withLeases(false), servers, tables);
    Exchange leased = Exchange.of(limits, settings.withLeases(true), servers, tables);
    long byCpu = nodes(settings.leases() ? leased : strict);
    RedisSize redis = RedisSize.of(limits, settings, Math.max(1, byCpu));
    HeapSize heap = HeapSize.of(redis.limits());
    return new SizePlan(settings, redis, heap, strict, leased, servers);
  }

  private static long nodes(Exchange exchange) {
    return (long) Math.ceil(exchange.cores() / Exchange.USED_CPU);
  }

  /** The exchange that the nodes are planned for. */
  public Exchange exchange() {
    return settings.leases() ? leased : strict;
  }

  /** The nodes of Redis that its processors ask for. */
  public long nodesByCpu() {
    return Math.max(1, nodes(exchange()));
  }

  /** The nodes of Redis that memory asks for. */
  public long nodesByMemory() {
    double usable = settings.redisMemory() * RedisSize.USED_MEMORY;
    return Math.max(1, (long) Math.ceil(redis.bytes() / usable));
  }

  /** The requests per second at which a node is as busy as it may be; 0 if it has nothing to do. */
  public double requestsPerNode() {
    double cores = exchange().cores();
    return cores == 0 ? 0 : settings.requestsPerSecond() * Exchange.USED_CPU / cores;
  }

  /** The cores of servers that requests ask for, half of each used. */
  public static double edgeCores(SizeSettings settings, MeasuredTables tables) {
    return settings.requestsPerSecond() / (tables.edgePerCore() * Exchange.USED_CPU);
  }
}
