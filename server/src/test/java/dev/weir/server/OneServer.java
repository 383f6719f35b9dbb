package dev.weir.server;

import dev.weir.guard.GuardSettings;
import dev.weir.lease.ByMode.Counts;
import dev.weir.memory.MemoryStore;
import dev.weir.redis.RedisSettings;
import dev.weir.redis.RedisStore;
import dev.weir.rule.Limiter;
import dev.weir.testkit.redis.Await;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** A server on Redis, without its edges. */
final class OneServer implements AutoCloseable {
  final RedisStore redis;
  final SharedStore shared;
  final Limiter limiter;

  OneServer(String url) {
    RedisSettings settings = RedisSettings.parse(url);
    redis = RedisStore.connect(settings);
    shared =
        new SharedStore(
            new StoreInUse(
                "redis",
                redis,
                new MemoryStore(),
                Optional.of(redis.roster()),
                redis.places(),
                GuardSettings.DEFAULT.behind(settings.deadline()),
                redis::calls,
                List::of));
    limiter = new Limiter(shared.asked(), shared.standby(), (rule, outcome) -> {});
  }

  /** Several of them that know each other. */
  static List<OneServer> several(int count, String url) {
    List<OneServer> servers = IntStream.range(0, count).mapToObj(i -> new OneServer(url)).toList();
    Await.until(
        "servers know each other",
        Duration.ofSeconds(60),
        () -> servers.stream().allMatch(server -> server.shared.isKnownTo(count)));
    return servers;
  }

  /** Permits that it has taken in advance, and neither spent nor given back nor given up. */
  long held() {
    Counts before = shared.counts();
    // What is spent meanwhile is held no more.
    return before.taken() - before.returned() - before.stranded() - shared.counts().granted();
  }

  @Override
  public void close() {
    shared.close();
    redis.close();
  }
}
