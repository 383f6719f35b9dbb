package dev.weir.redis.connection;

import dev.weir.LimitKey;
import dev.weir.redis.script.RedisKeys;
import dev.weir.redis.script.Script;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.cluster.event.ClusterTopologyChangedEvent;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import io.lettuce.core.codec.ByteArrayCodec;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;

/** A link to a cluster, which may move slots between nodes at any time. */
final class ClusterLink implements Link {
  private final RedisClusterClient client;
  private final RedisKeys keys;
  private final Set<Executor> eventLoops;
  private final ConnectFailures failures;
  private final StatefulRedisClusterConnection<byte[], byte[]> connection;
  private final Disposable topologyChanges;

  /**
   * Connects to the cluster and to its masters.
   *
   * @param mastersTimeout how long to wait for the connections to the masters
   */
  ClusterLink(
      RedisClusterClient client,
      RedisKeys keys,
      Set<Executor> eventLoops,
      Duration mastersTimeout) {
    this.client = client;
    this.keys = keys;
    this.eventLoops = eventLoops;
    this.failures = new ConnectFailures(client.getResources());
    this.connection = client.connect(ByteArrayCodec.INSTANCE);
    connectToMasters()
        .completeOnTimeout(null, mastersTimeout.toMillis(), TimeUnit.MILLISECONDS)
        .join();
    this.topologyChanges =
        client
            .getResources()
            .eventBus()
            .get()
            .ofType(ClusterTopologyChangedEvent.class)
            .subscribe(
                change -> {
                  var unused = connectToMasters();
                });
  }

  /** Connects ahead of requests, because commands are rejected while a connection is opened. */
  private CompletableFuture<Void> connectToMasters() {
    return CompletableFuture.allOf(
        connection.getPartitions().stream()
            .filter(node -> node.getRole().isUpstream()) // it may receive slots at any time
            .map(
                node ->
                    connect(node)
                        .thenAccept(connected -> Script.load(connected.async()))
                        .handle((done, failure) -> null))
            .toArray(CompletableFuture[]::new));
  }

  private CompletableFuture<StatefulRedisConnection<byte[], byte[]>> connect(
      RedisClusterNode node) {
    RedisURI uri = node.getUri();
    try {
      return connection.getConnectionAsync(uri.getHost(), uri.getPort());
    } catch (RedisException | IllegalStateException e) {
      // The node has just left the cluster, or this link is closed.
      return CompletableFuture.failedFuture(e);
    }
  }

  @Override
  public RedisClusterAsyncCommands<byte[], byte[]> commands() {
    return connection.async();
  }

  @Override
  public NodeSlot nodeSlot(LimitKey key) {
    return nodeSlot(keys.name(key));
  }

  @Override
  public NodeSlot nodeSlot(byte[] name) {
    int slot = SlotHash.getSlot(name);
    RedisClusterNode node = connection.getPartitions().getPartitionBySlot(slot);
    return new NodeSlot(node == null ? "" : node.getNodeId(), slot);
  }

  @Override
  public boolean isSingleNode() {
    return false;
  }

  @Override
  public Map<String, String> nodes() {
    Map<String, String> names = new LinkedHashMap<>();
    for (RedisClusterNode node : connection.getPartitions()) {
      if (node.getRole().isUpstream() && !node.hasNoSlots()) {
        names.put(node.getNodeId(), address(node));
      }
    }
    return names;
  }

  private static String address(RedisClusterNode node) {
    return node.getUri().getHost() + ":" + node.getUri().getPort();
  }

  @Override
  public CompletionStage<String> info(String id, String section) {
    RedisClusterNode node = connection.getPartitions().getPartitionByNodeId(id);
    return node == null
        ? CompletableFuture.failedStage(new RedisException("no such node"))
        : connect(node).thenCompose(connected -> connected.async().info(section));
  }

  @Override
  public @Nullable String connectFailure(String id) {
    RedisClusterNode node = connection.getPartitions().getPartitionByNodeId(id);
    return node == null ? null : failures.of(address(node));
  }

  @Override
  public Set<Executor> eventLoops() {
    return eventLoops;
  }

  @Override
  public boolean knowsNode(String id) {
    return connection.getPartitions().getPartitionByNodeId(id) != null;
  }

  @Override
  public void reconnect(String id) {
    RedisClusterNode node = connection.getPartitions().getPartitionByNodeId(id);
    if (node != null) {
      var unused = connect(node).thenAccept(Link::disconnect);
    }
    var unused = client.refreshPartitionsAsync();
  }

  @Override
  public void close() {
    topologyChanges.dispose();
    failures.close();
    connection.close();
    Link.shutdown(client);
  }
}
