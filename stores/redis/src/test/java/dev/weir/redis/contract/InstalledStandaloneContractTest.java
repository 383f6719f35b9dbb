package dev.weir.redis.contract;

import dev.weir.testkit.redis.Binaries;
import dev.weir.testkit.redis.RedisBinary;

/** One server of the installed Redis fulfils the store contract. */
class InstalledStandaloneContractTest extends RedisContract {
  InstalledStandaloneContractTest() {
    super(Binaries.PATH);
  }

  @Override
  RunningRedis start(RedisBinary program) {
    return RunningRedis.standalone(program);
  }
}
