package dev.weir.redis.contract;

import dev.weir.Store;
import dev.weir.redis.RedisStore;
import dev.weir.testkit.contract.StoreContract;
import dev.weir.testkit.redis.Binaries;
import dev.weir.testkit.redis.RedisBinary;
import dev.weir.time.Ticker;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/** The store contract on a real Redis, which is started once for all tests of a class. */
@TestInstance(Lifecycle.PER_CLASS)
abstract class RedisContract extends StoreContract {
  private final Binaries binary;

  private @Nullable RunningRedis redis;

  RedisContract(Binaries binary) {
    this.binary = binary;
  }

  abstract RunningRedis start(RedisBinary program);

  @AfterAll
  void stop() {
    if (redis != null) {
      redis.close();
    }
  }

  /** Starts Redis in the first test: where the program is missing, each test reports it. */
  private synchronized RunningRedis redis() {
    if (redis == null) {
      redis = start(binary.get());
    }
    return redis;
  }

  @Override
  protected Store create(Ticker ticker) {
    return RedisStore.connect(redis().settings(), ticker);
  }
}
