package dev.weir.redis;

import dev.weir.testkit.redis.Binaries;
import dev.weir.testkit.redis.RedisBinary;

/** One server keeps the contract, as it is installed. */
class InstalledStandaloneContractTest extends RedisContract {
  InstalledStandaloneContractTest() {
    super(Binaries.PATH);
  }

  @Override
  RunningRedis start(RedisBinary program) {
    return RunningRedis.standalone(program);
  }
}
