package dev.weir.redis.contract;

import dev.weir.testkit.redis.Binaries;
import dev.weir.testkit.redis.RedisBinary;

/** A master found through three Sentinels fulfils the store contract. */
class SentinelContractTest extends RedisContract {
  SentinelContractTest() {
    super(Binaries.EMBEDDED);
  }

  @Override
  RunningRedis start(RedisBinary program) {
    return RunningRedis.sentinel(program);
  }
}
