package dev.weir.redis.contract;

import dev.weir.testkit.redis.Binaries;
import dev.weir.testkit.redis.RedisBinary;

/** A cluster of three masters with a replica each fulfils the store contract. */
class ClusterContractTest extends RedisContract {
  ClusterContractTest() {
    super(Binaries.EMBEDDED);
  }

  @Override
  RunningRedis start(RedisBinary program) {
    return RunningRedis.cluster(program);
  }
}
