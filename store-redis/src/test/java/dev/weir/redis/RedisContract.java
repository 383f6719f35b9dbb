package dev.weir.redis;

import dev.weir.Store;
import dev.weir.Ticker;
import dev.weir.testkit.StoreContract;
import dev.weir.testkit.redis.Binaries;
import dev.weir.testkit.redis.RedisBinary;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/** The contract, kept by a real Redis that is started once for all of it. */
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

  /** Started by the first test: where the program is missing, each test says so by itself. */
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
