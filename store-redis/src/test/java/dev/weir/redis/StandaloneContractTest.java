package dev.weir.redis;

import dev.weir.testkit.redis.Binaries;
import dev.weir.testkit.redis.RedisBinary;

/** One server keeps the contract, where no Redis is installed. */
class StandaloneContractTest extends RedisContract {
  StandaloneContractTest() {
    super(Binaries.EMBEDDED);
  }

  @Override
  RunningRedis start(RedisBinary program) {
    return RunningRedis.standalone(program);
  }
}
