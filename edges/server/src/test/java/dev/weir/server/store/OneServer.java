package dev.weir.server.store;

import dev.weir.limiter.Limiter;
import dev.weir.memory.MemoryStore;
import dev.weir.redis.RedisStore;
import dev.weir.redis.connection.RedisSettings;
import dev.weir.shared.GuardSettings;
import dev.weir.shared.lease.ModeRoutingStore.Counts;
import dev.weir.testkit.redis.Await;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** A server on Redis, without its edges. */
public final class OneServer implements AutoCloseable {
  final RedisStore redis;
  public final StoreMonitor shared;
  final Limiter limiter;

  OneServer(String url) {
    RedisSettings settings = RedisSettings.parse(url);
    redis = RedisStore.connect(settings);
    shared =
        new StoreMonitor(
            new StoreConfig(
                "redis",
                redis,
                new MemoryStore(),
                Optional.of(redis.roster()),
                redis.shards(),
                GuardSettings.DEFAULT.asBackstopOf(settings.deadline()),
                redis::calls,
                List::of));
    limiter = new Limiter(shared.store(), shared.fallback(), (rule, outcome, subject) -> {});
  }

  /** A fleet of servers that know each other. */
  static List<OneServer> several(int count, String url) {
    List<OneServer> servers = IntStream.range(0, count).mapToObj(i -> new OneServer(url)).toList();
    Await.until(
        "servers know each other",
        Duration.ofSeconds(60),
        () -> servers.stream().allMatch(server -> server.shared.isKnownTo(count)));
    return servers;
  }

  /** Leased permits that it has neither spent, nor returned, nor abandoned. */
  public long held() {
    Counts before = shared.counts();
    // Permits that are spent meanwhile are no longer held.
    return before.taken() - before.returned() - before.stranded() - shared.counts().granted();
  }

  @Override
  public void close() {
    shared.close();
    redis.close();
  }
}
