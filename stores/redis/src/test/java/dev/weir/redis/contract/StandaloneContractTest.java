package dev.weir.redis.contract;

import dev.weir.testkit.redis.Binaries;
import dev.weir.testkit.redis.RedisBinary;

/** One server of the embedded Redis fulfils the store contract. */
class StandaloneContractTest extends RedisContract {
  StandaloneContractTest() {
    super(Binaries.EMBEDDED);
  }

  @Override
  RunningRedis start(RedisBinary program) {
    return RunningRedis.standalone(program);
  }
}
