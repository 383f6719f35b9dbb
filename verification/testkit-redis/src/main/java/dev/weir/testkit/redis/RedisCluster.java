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
 * <p>The cluster fails over a master that does not answer for a second. A killed node returns as a
 * replica with {@link RedisServer#restart} and {@link #awaitOk}.
 *
 * <p>Not thread-safe: the thread of the test breaks and mends it.
 */
public final class RedisCluster implements AutoCloseable {
  /** The number of hash slots. */
  public static final int SLOTS = 16_384;

  private static final int MASTERS = 3;
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final List<String> CONFIG =
      List.of(
          "cluster-enabled yes",
          "cluster-node-timeout 1000",
          "cluster-announce-ip 127.0.0.1",
          // A replica may be elected however long it was disconnected.
          "cluster-replica-validity-factor 0",
          // Replicas do not migrate: the test decides which master they replicate.
          "cluster-migration-barrier 100",
          "repl-diskless-sync yes",
          "repl-diskless-sync-delay 0");

  private final List<RedisServer> nodes;

  private RedisCluster(List<RedisServer> nodes) {
    this.nodes = nodes;
  }

  /** Starts the chosen program six times, with additional lines of configuration. */
  public static RedisCluster start(String... config) {
    return start(RedisBinary.chosen(), config);
  }

  /** Starts a program six times, and returns when every node reports the cluster as healthy. */
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
      // Different from the start: nodes resolve equal epochs one by one after they have met.
      nodes.get(i).command("CLUSTER", "SET-CONFIG-EPOCH", Integer.toString(i + 1));
    }
    for (int i = 0; i < MASTERS; i++) {
      nodes.get(i).command(addSlots(SLOTS * i / MASTERS, SLOTS * (i + 1) / MASTERS));
    }
    for (RedisServer node : nodes) {
      // Every pair meets explicitly: gossip would take longer.
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

  /** Lists every slot: Redis 6.2 has no ADDSLOTSRANGE. */
  private static String[] addSlots(int from, int to) {
    return Stream.concat(
            Stream.of("CLUSTER", "ADDSLOTS"), IntStream.range(from, to).mapToObj(Integer::toString))
        .toArray(String[]::new);
  }

  private boolean knowsAll(RedisServer node) {
    List<ClusterNode> seen = ClusterNode.seenBy(node);
    return seen.size() == nodes.size() && seen.stream().allMatch(ClusterNode::isHealthy);
  }

  /**
   * Returns when all running nodes agree that the cluster is healthy: all slots are served, all
   * nodes see the same masters, and every running replica is connected to its master.
   */
  public void awaitOk() {
    Await.until(
        "healthy cluster",
        LIMIT,
        () ->
            running().allMatch(this::seesHealthyCluster)
                && running().map(this::slotsByPort).distinct().count() == 1);
  }

  private Map<Integer, List<String>> slotsByPort(RedisServer node) {
    return ClusterNode.seenBy(node).stream()
        .filter(seen -> seen.isMaster() && isRunning(seen))
        .collect(Collectors.toMap(ClusterNode::port, ClusterNode::slots));
  }

  private boolean seesHealthyCluster(RedisServer node) {
    List<ClusterNode> seen = ClusterNode.seenBy(node);
    List<ClusterNode> alive = seen.stream().filter(this::isRunning).toList();
    return RedisServer.field(node.text("CLUSTER", "INFO"), "cluster_state").equals("ok")
        && alive.size() == running().count()
        && alive.stream().allMatch(ClusterNode::isHealthy)
        && alive.stream().filter(ClusterNode::isMaster).count() == MASTERS
        && isInSync(node);
  }

  private static boolean isInSync(RedisServer node) {
    String replication = node.text("INFO", "replication");
    return RedisServer.field(replication, "role").equals("master")
        || RedisServer.field(replication, "master_link_status").equals("up");
  }

  /** All six nodes, running or not: first the initial masters. */
  public List<RedisServer> nodes() {
    return List.copyOf(nodes);
  }

  /** The slot of a key. */
  public int slotOf(String key) {
    return firstReply(node -> (int) node.number("CLUSTER", "KEYSLOT", key));
  }

  /** The current master of a slot. */
  public RedisServer masterOf(int slot) {
    return at(owner(slot, firstReply(ClusterNode::seenBy)).port());
  }

  /** The current replica of a slot. */
  public RedisServer replicaOf(int slot) {
    List<ClusterNode> seen = firstReply(ClusterNode::seenBy);
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
        .orElseThrow(() -> new IllegalStateException("no master serves slot " + slot));
  }

  /** Kills the master of a slot, and returns its replica when all nodes see it as the master. */
  public RedisServer failover(int slot) {
    RedisServer newMaster = replicaOf(slot);
    masterOf(slot).kill();
    awaitMaster(slot, newMaster);
    return newMaster;
  }

  /** Swaps the roles of a slot's master and replica without data loss; returns the new master. */
  public RedisServer switchover(int slot) {
    RedisServer newMaster = replicaOf(slot);
    newMaster.command("CLUSTER", "FAILOVER");
    awaitMaster(slot, newMaster);
    return newMaster;
  }

  private void awaitMaster(int slot, RedisServer newMaster) {
    Await.until(
        newMaster + " serves slot " + slot,
        LIMIT,
        () ->
            running()
                    .flatMap(node -> ClusterNode.seenBy(node).stream())
                    .filter(
                        seen ->
                            seen.isMaster() && seen.owns(slot) && seen.port() == newMaster.port())
                    .count()
                == running().count());
    awaitOk();
  }

  /**
   * Starts to migrate a slot to another master; {@link SlotMigration} has the next steps.
   *
   * @throws IllegalArgumentException if {@code to} is no master, or has the slot already
   */
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

  /** The reply of the first node that replies: some may be dead, or paused. */
  private <T> T firstReply(Function<RedisServer, T> query) {
    for (RedisServer node : running().toList()) {
      try {
        return query.apply(node);
      } catch (UncheckedIOException e) {
        // Try the next node.
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
