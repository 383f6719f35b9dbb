package dev.weir.redis;

import dev.weir.testkit.redis.Binaries;
import dev.weir.testkit.redis.RedisBinary;

/** Three masters with a replica each keep the contract. */
class ClusterContractTest extends RedisContract {
  ClusterContractTest() {
    super(Binaries.EMBEDDED);
  }

  @Override
  RunningRedis start(RedisBinary program) {
    return RunningRedis.cluster(program);
  }
}
