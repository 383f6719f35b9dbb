package dev.weir.redis;

import dev.weir.redis.RedisSettings.Kind;
import dev.weir.testkit.redis.RedisBinary;
import dev.weir.testkit.redis.RedisCluster;
import dev.weir.testkit.redis.RedisSentinels;
import dev.weir.testkit.redis.RedisServer;
import java.util.List;
import java.util.stream.Collectors;

/** Servers in one of the ways in which they stand together, and where to find them. */
record RunningRedis(String url, Runnable stop) implements AutoCloseable {

  static RunningRedis start(Kind kind, RedisBinary program) {
    return switch (kind) {
      case STANDALONE -> standalone(program);
      case SENTINEL -> sentinel(program);
      case CLUSTER -> cluster(program);
    };
  }

  static RunningRedis standalone(RedisBinary program) {
    RedisServer server = RedisServer.start(program);
    return new RunningRedis(server.url(), server::close);
  }

  static RunningRedis sentinel(RedisBinary program) {
    RedisSentinels all = RedisSentinels.start(program);
    String url = "redis-sentinel://" + hosts(all.sentinels()) + "?master=" + RedisSentinels.NAME;
    return new RunningRedis(url, all::close);
  }

  static RunningRedis cluster(RedisBinary program) {
    // Nobody fails here; a machine that is busy for a second must not vote anybody out.
    RedisCluster all = RedisCluster.start(program, "cluster-node-timeout 15000");
    return new RunningRedis("redis-cluster://" + hosts(all.nodes()), all::close);
  }

  private static String hosts(List<RedisServer> servers) {
    return servers.stream().map(RedisServer::toString).collect(Collectors.joining(","));
  }

  /** With a deadline that a busy machine keeps. */
  RedisSettings settings() {
    return RedisSettings.parse(url + (url.contains("?") ? "&" : "?") + "deadline=5s");
  }

  @Override
  public void close() {
    stop.run();
  }
}
