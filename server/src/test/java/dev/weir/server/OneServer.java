package dev.weir.server;

import dev.weir.guard.GuardSettings;
import dev.weir.memory.MemoryStore;
import dev.weir.redis.RedisSettings;
import dev.weir.redis.RedisStore;
import dev.weir.rule.Limiter;
import java.util.List;
import java.util.Optional;

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
                GuardSettings.DEFAULT.withDeadline(settings.deadline().plusMillis(2)),
                redis::calls,
                List::of));
    limiter = new Limiter(shared.asked(), shared.standby(), (rule, outcome) -> {});
  }

  @Override
  public void close() {
    shared.close();
    redis.close();
  }
}
