package dev.weir.testkit.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A master with two replicas, monitored by three sentinels.
 *
 * <p>The sentinels fail over a master that does not answer for half a second. A killed master
 * returns as a replica, some ten seconds after {@link RedisServer#restart}.
 *
 * <p>Not thread-safe: the thread of the test breaks and mends it.
 */
public final class RedisSentinels implements AutoCloseable {
  /** The master's name in the configuration of the sentinels. */
  public static final String NAME = "weir";

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final int REPLICAS = 2;
  private static final int SENTINELS = 3;

  private final List<RedisServer> servers = new ArrayList<>();
  private final List<RedisServer> sentinels = new ArrayList<>();

  private RedisSentinels() {}

  /** Starts the chosen program six times, the servers with additional lines of configuration. */
  public static RedisSentinels start(String... config) {
    return start(RedisBinary.chosen(), config);
  }

  /** Starts a program six times, and returns when every sentinel knows all others. */
  public static RedisSentinels start(RedisBinary binary, String... config) {
    RedisSentinels all = new RedisSentinels();
    try {
      all.startAll(binary, config);
      return all;
    } catch (RuntimeException e) {
      all.close();
      throw e;
    }
  }

  private void startAll(RedisBinary binary, String... config) {
    List<String> lines = new ArrayList<>(List.of(config));
    lines.add("repl-diskless-sync yes");
    lines.add("repl-diskless-sync-delay 0");
    RedisServer master = RedisServer.start(binary, lines.toArray(String[]::new));
    servers.add(master);
    lines.add("replicaof 127.0.0.1 " + master.port());
    for (int i = 0; i < REPLICAS; i++) {
      servers.add(RedisServer.start(binary, lines.toArray(String[]::new)));
    }
    // A sentinel queries the replicas when it starts, and then only every ten seconds.
    Await.until("replicas are up to date", LIMIT, () -> hasReplicas(master));
    for (int i = 0; i < SENTINELS; i++) {
      sentinels.add(
          RedisServer.sentinel(
              binary,
              "sentinel monitor " + NAME + " 127.0.0.1 " + master.port() + " 2",
              "sentinel down-after-milliseconds " + NAME + " 500",
              "sentinel failover-timeout " + NAME + " 2000"));
    }
    Await.until("sentinels know all", LIMIT, () -> sentinels.stream().allMatch(this::knowsAll));
  }

  private static boolean hasReplicas(RedisServer master) {
    String replication = master.text("INFO", "replication");
    return Stream.of("slave0", "slave1")
        .allMatch(
            name ->
                replication.contains(name + ":")
                    && RedisServer.field(replication, name).contains("state=online"));
  }

  private boolean knowsAll(RedisServer sentinel) {
    return sentinel
        .info("sentinel", "master0")
        .endsWith(
            "status=ok,address=%s,slaves=%d,sentinels=%d"
                .formatted(servers.get(0).address(), REPLICAS, SENTINELS));
  }

  /** The three sentinels, running or not. */
  public List<RedisServer> sentinels() {
    return List.copyOf(sentinels);
  }

  /** The three servers, running or not: first the initial master. */
  public List<RedisServer> servers() {
    return List.copyOf(servers);
  }

  /** The current master according to the first running sentinel. */
  public RedisServer master() {
    return master(
        sentinels.stream()
            .filter(RedisServer::isRunning)
            .findFirst()
            .orElseThrow(() -> new IllegalStateException("no sentinel runs")));
  }

  private RedisServer master(RedisServer sentinel) {
    Object port = sentinel.list("SENTINEL", "GET-MASTER-ADDR-BY-NAME", NAME).get(1);
    return servers.stream()
        .filter(server -> Integer.toString(server.port()).equals(port))
        .findFirst()
        .orElseThrow();
  }

  /** Kills the master, and returns the new one when all sentinels agree and it accepts writes. */
  public RedisServer failover() {
    RedisServer old = master();
    old.kill();
    Await.until("a master other than " + old, LIMIT, () -> isReplaced(old));
    return master();
  }

  private boolean isReplaced(RedisServer old) {
    List<RedisServer> masters =
        sentinels.stream().filter(RedisServer::isRunning).map(this::master).distinct().toList();
    return masters.size() == 1
        && masters.get(0) != old
        && masters.get(0).info("replication", "role").equals("master");
  }

  @Override
  public void close() {
    sentinels.forEach(RedisServer::close);
    servers.forEach(RedisServer::close);
  }
}
