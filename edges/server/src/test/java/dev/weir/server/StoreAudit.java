package dev.weir.server;

import dev.weir.redis.RedisStore;
import dev.weir.redis.connection.RedisSettings;
import dev.weir.server.store.FourServers;
import java.util.List;

/** Compares what Redis has counted with what was granted, over a separate connection. */
public final class StoreAudit implements AutoCloseable {
  private final FourServers servers;
  private final RedisStore redis;

  public StoreAudit(FourServers servers, String url) {
    this.servers = servers;
    this.redis = RedisStore.connect(RedisSettings.parse(url + "?deadline=5s"));
  }

  long counted(List<String> paths) {
    return paths.stream()
        .mapToLong(
            path ->
                FourServers.PLENTY
                    - redis.peek(List.of(servers.claim(path).withCost(0))).join().remaining())
        .sum();
  }

  /**
   * Whether Redis has counted all grants, except those of unknown effect, and nothing else, except
   * leases of servers. Requests may keep coming meanwhile.
   */
  boolean balance(List<String> paths) {
    long granted = servers.load.granted(paths);
    long doubts = servers.doubts(paths) + servers.lost();
    long counted = counted(paths);
    long held = servers.held(paths);
    return counted >= granted - doubts && counted <= held + servers.load.grantedOrOnItsWay(paths);
  }

  String describe(List<String> paths) {
    return "%s: %d granted, %d in doubt, %d held, %d counted"
        .formatted(
            paths,
            servers.load.granted(paths),
            servers.doubts(paths),
            servers.held(paths),
            counted(paths));
  }

  @Override
  public void close() {
    redis.close();
  }
}
