package dev.weir.redis.contract;

import dev.weir.redis.connection.RedisSettings;
import dev.weir.redis.connection.RedisSettings.Kind;
import dev.weir.testkit.redis.RedisBinary;
import dev.weir.testkit.redis.RedisCluster;
import dev.weir.testkit.redis.RedisSentinels;
import dev.weir.testkit.redis.RedisServer;
import java.util.List;
import java.util.stream.Collectors;

/** Running servers of one topology, and their URL. */
public record RunningRedis(String url, Runnable stop) implements AutoCloseable {

  public static RunningRedis start(Kind kind, RedisBinary program) {
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

  public static RunningRedis cluster(RedisBinary program) {
    // No node fails here; a machine that is busy for a second must not cause a failover.
    RedisCluster all = RedisCluster.start(program, "cluster-node-timeout 15000");
    return new RunningRedis("redis-cluster://" + hosts(all.nodes()), all::close);
  }

  private static String hosts(List<RedisServer> servers) {
    return servers.stream().map(RedisServer::toString).collect(Collectors.joining(","));
  }

  /** Settings with a deadline that a busy machine keeps. */
  public RedisSettings settings() {
    return RedisSettings.parse(url + (url.contains("?") ? "&" : "?") + "deadline=5s");
  }

  @Override
  public void close() {
    stop.run();
  }
}
