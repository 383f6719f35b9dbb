package dev.weir.server;

import dev.weir.redis.RedisSettings;
import dev.weir.redis.RedisStore;
import java.util.List;

/** What Redis has counted beside what was granted; asked by itself, and with patience. */
final class Books implements AutoCloseable {
  private final FourServers servers;
  private final RedisStore redis;

  Books(FourServers servers, String url) {
    this.servers = servers;
    this.redis = RedisStore.connect(RedisSettings.parse(url + "?deadline=5s"));
  }

  long counted(List<String> paths) {
    return paths.stream()
        .mapToLong(
            path ->
                FourServers.PLENTY
                    - redis.look(List.of(servers.claim(path).costing(0))).join().remaining())
        .sum();
  }

  /**
   * Whether Redis knows of all that was granted, but for what it may or may not have counted; and
   * of nothing else, but for what servers hold in advance. Requests may keep coming meanwhile.
   */
  boolean balance(List<String> paths) {
    long granted = servers.load.granted(paths);
    long doubts = servers.doubts(paths) + servers.lost();
    long counted = counted(paths);
    long held = servers.held(paths);
    return counted >= granted - doubts && counted <= held + servers.load.grantedOrOnItsWay(paths);
  }

  String tell(List<String> paths) {
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
