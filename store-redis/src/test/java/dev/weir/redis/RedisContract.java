package dev.weir.redis;

import dev.weir.Store;
import dev.weir.Ticker;
import dev.weir.testkit.StoreContract;
import dev.weir.testkit.redis.Binaries;
import dev.weir.testkit.redis.RedisBinary;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/** The contract, kept by a real Redis that is started once for all of it. */
@TestInstance(Lifecycle.PER_CLASS)
abstract class RedisContract extends StoreContract {
  private final Binaries binary;

  @SuppressWarnings("NullAway.Init")
  private RunningRedis redis;

  RedisContract(Binaries binary) {
    this.binary = binary;
  }

  abstract RunningRedis start(RedisBinary program);

  @BeforeAll
  void start() {
    redis = start(binary.get());
  }

  @AfterAll
  @SuppressWarnings("NullAway") // not started where the program is missing
  void stop() {
    if (redis != null) {
      redis.close();
    }
  }

  @Override
  protected Store create(Ticker ticker) {
    return RedisStore.connect(redis.settings(), ticker);
  }
}
