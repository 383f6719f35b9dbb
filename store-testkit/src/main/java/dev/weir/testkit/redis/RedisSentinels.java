package dev.weir.testkit.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A master with two replicas, watched by three sentinels.
 *
 * <p>A master that is away for half a second is voted out. One that was killed comes back, as a
 * replica, some ten seconds after {@link RedisServer#restart}.
 */
public final class RedisSentinels implements AutoCloseable {
  /** The name under which the sentinels know the master. */
  public static final String NAME = "weir";

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final int REPLICAS = 2;
  private static final int SENTINELS = 3;

  private final List<RedisServer> servers = new ArrayList<>();
  private final List<RedisServer> sentinels = new ArrayList<>();

  private RedisSentinels() {}

  /** Starts the chosen program six times, the servers with further lines of configuration. */
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
    // A sentinel asks for replicas when it starts, and then every ten seconds only.
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

  /** The three servers, running or not: first the one that began as master. */
  public List<RedisServer> servers() {
    return List.copyOf(servers);
  }

  /** Whom the first sentinel that runs names as the master. */
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

  /** Kills the master, and returns the new one when all sentinels name it and it takes writes. */
  public RedisServer failover() {
    RedisServer old = master();
    old.kill();
    Await.until("a master other than " + old, LIMIT, () -> isReplaced(old));
    return master();
  }

  private boolean isReplaced(RedisServer old) {
    List<RedisServer> named =
        sentinels.stream().filter(RedisServer::isRunning).map(this::master).distinct().toList();
    return named.size() == 1
        && named.get(0) != old
        && named.get(0).info("replication", "role").equals("master");
  }

  @Override
  public void close() {
    sentinels.forEach(RedisServer::close);
    servers.forEach(RedisServer::close);
  }
}
