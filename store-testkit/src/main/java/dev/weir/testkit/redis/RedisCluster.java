package dev.weir.testkit.redis;

import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A Redis Cluster of three masters with a replica each.
 *
 * <p>A master that is away for a second is voted out. A node that was killed comes back, as a
 * replica, with {@link RedisServer#restart} and {@link #awaitOk}.
 */
public final class RedisCluster implements AutoCloseable {
  public static final int SLOTS = 16_384;

  private static final int MASTERS = 3;
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final List<String> CONFIG =
      List.of(
          "cluster-enabled yes",
          "cluster-node-timeout 1000",
          "cluster-announce-ip 127.0.0.1",
          // However long a replica was cut off, it stands for election.
          "cluster-replica-validity-factor 0",
          // A test decides who replicates whom.
          "cluster-migration-barrier 100",
          "repl-diskless-sync yes",
          "repl-diskless-sync-delay 0");

  private final List<RedisServer> nodes;

  private RedisCluster(List<RedisServer> nodes) {
    this.nodes = nodes;
  }

  /** Starts the chosen program six times, with further lines of configuration. */
  public static RedisCluster start(String... config) {
    return start(RedisBinary.chosen(), config);
  }

  /** Starts a program six times, and returns when every node finds the cluster in order. */
  public static RedisCluster start(RedisBinary binary, String... config) {
    String[] lines = Stream.concat(CONFIG.stream(), Stream.of(config)).toArray(String[]::new);
    RedisCluster cluster = new RedisCluster(new ArrayList<>());
    try {
      for (int i = 0; i < 2 * MASTERS; i++) {
        cluster.nodes.add(RedisServer.start(binary, lines));
      }
      cluster.form();
      return cluster;
    } catch (RuntimeException e) {
      cluster.close();
      throw e;
    }
  }

  private void form() {
    for (int i = 0; i < nodes.size(); i++) {
      // Different from the start: equal ones are settled one by one, once they meet.
      nodes.get(i).command("CLUSTER", "SET-CONFIG-EPOCH", Integer.toString(i + 1));
    }
    for (int i = 0; i < MASTERS; i++) {
      nodes.get(i).command(addSlots(SLOTS * i / MASTERS, SLOTS * (i + 1) / MASTERS));
    }
    for (RedisServer node : nodes) {
      // Each with each: word of mouth would take longer.
      for (RedisServer other : nodes.subList(nodes.indexOf(node) + 1, nodes.size())) {
        node.command("CLUSTER", "MEET", "127.0.0.1", Integer.toString(other.port()));
      }
    }
    Await.until("all nodes have met", LIMIT, () -> nodes.stream().allMatch(this::knowsAll));
    for (int i = 0; i < MASTERS; i++) {
      nodes.get(MASTERS + i).command("CLUSTER", "REPLICATE", id(nodes.get(i)));
    }
    awaitOk();
  }

  /** One slot after the other: Redis 6.2 has no ADDSLOTSRANGE. */
  private static String[] addSlots(int from, int to) {
    return Stream.concat(
            Stream.of("CLUSTER", "ADDSLOTS"), IntStream.range(from, to).mapToObj(Integer::toString))
        .toArray(String[]::new);
  }

  private boolean knowsAll(RedisServer node) {
    List<ClusterNode> seen = ClusterNode.seenBy(node);
    return seen.size() == nodes.size() && seen.stream().allMatch(ClusterNode::isSound);
  }

  /**
   * Returns when all nodes that run agree that the cluster is in order: all slots served, by the
   * same masters in the eyes of all, and every replica that runs up to date.
   */
  public void awaitOk() {
    Await.until(
        "cluster in order",
        LIMIT,
        () ->
            running().allMatch(this::findsOk)
                && running().map(this::slotsByPort).distinct().count() == 1);
  }

  private Map<Integer, List<String>> slotsByPort(RedisServer node) {
    return ClusterNode.seenBy(node).stream()
        .filter(seen -> seen.isMaster() && isRunning(seen))
        .collect(Collectors.toMap(ClusterNode::port, ClusterNode::slots));
  }

  private boolean findsOk(RedisServer node) {
    List<ClusterNode> seen = ClusterNode.seenBy(node);
    List<ClusterNode> alive = seen.stream().filter(this::isRunning).toList();
    return RedisServer.field(node.text("CLUSTER", "INFO"), "cluster_state").equals("ok")
        && alive.size() == running().count()
        && alive.stream().allMatch(ClusterNode::isSound)
        && alive.stream().filter(ClusterNode::isMaster).count() == MASTERS
        && follows(node);
  }

  private static boolean follows(RedisServer node) {
    String replication = node.text("INFO", "replication");
    return RedisServer.field(replication, "role").equals("master")
        || RedisServer.field(replication, "master_link_status").equals("up");
  }

  /** All six, running or not: first those that began as masters. */
  public List<RedisServer> nodes() {
    return List.copyOf(nodes);
  }

  /** The slot that a key is in. */
  public int slotOf(String key) {
    return answered(node -> (int) node.number("CLUSTER", "KEYSLOT", key));
  }

  /** Who serves a slot now. */
  public RedisServer masterOf(int slot) {
    return at(owner(slot, answered(ClusterNode::seenBy)).port());
  }

  /** Who replicates a slot now. */
  public RedisServer replicaOf(int slot) {
    List<ClusterNode> seen = answered(ClusterNode::seenBy);
    String master = owner(slot, seen).id();
    return seen.stream()
        .filter(node -> node.masterId().equals(master) && isRunning(node))
        .map(node -> at(node.port()))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("no replica runs for slot " + slot));
  }

  private static ClusterNode owner(int slot, List<ClusterNode> seen) {
    if (slot < 0 || slot >= SLOTS) {
      throw new IllegalArgumentException("slot: " + slot + " (expected: 0 to " + (SLOTS - 1) + ")");
    }
    return seen.stream()
        .filter(node -> node.isMaster() && node.owns(slot))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("nobody serves slot " + slot));
  }

  /** Kills the master of a slot, and returns its replica when all see it as the new master. */
  public RedisServer failover(int slot) {
    RedisServer heir = replicaOf(slot);
    masterOf(slot).kill();
    awaitMaster(slot, heir);
    return heir;
  }

  /**
   * Lets the master of a slot and its replica change places, losing nothing; returns the new one.
   */
  public RedisServer switchover(int slot) {
    RedisServer heir = replicaOf(slot);
    heir.command("CLUSTER", "FAILOVER");
    awaitMaster(slot, heir);
    return heir;
  }

  private void awaitMaster(int slot, RedisServer heir) {
    Await.until(
        heir + " serves slot " + slot,
        LIMIT,
        () ->
            running()
                    .flatMap(node -> ClusterNode.seenBy(node).stream())
                    .filter(
                        seen -> seen.isMaster() && seen.owns(slot) && seen.port() == heir.port())
                    .count()
                == running().count());
    awaitOk();
  }

  /** Begins to move a slot to another master; see {@link SlotMigration} for what follows. */
  public SlotMigration migrate(int slot, RedisServer to) {
    RedisServer from = masterOf(slot);
    List<RedisServer> masters =
        ClusterNode.seenBy(from).stream()
            .filter(node -> node.isMaster() && isRunning(node))
            .map(node -> at(node.port()))
            .toList();
    if (from == to || !masters.contains(to)) {
      throw new IllegalArgumentException(
          "to: " + to + " (expected: a master other than " + from + ")");
    }
    return new SlotMigration(slot, from, to, masters);
  }

  static String id(RedisServer node) {
    return node.text("CLUSTER", "MYID");
  }

  private boolean isRunning(ClusterNode seen) {
    return running().anyMatch(node -> node.port() == seen.port());
  }

  private Stream<RedisServer> running() {
    return nodes.stream().filter(RedisServer::isRunning);
  }

  /** The answer of the first node that gives one: some may be dead, or paused. */
  private <T> T answered(Function<RedisServer, T> question) {
    for (RedisServer node : running().toList()) {
      try {
        return question.apply(node);
      } catch (UncheckedIOException e) {
        // The next one may.
      }
    }
    throw new IllegalStateException("no node answers");
  }

  private RedisServer at(int port) {
    return nodes.stream().filter(node -> node.port() == port).findFirst().orElseThrow();
  }

  @Override
  public void close() {
    nodes.forEach(RedisServer::close);
  }
}
