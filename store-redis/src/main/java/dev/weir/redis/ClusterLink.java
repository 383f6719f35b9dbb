package dev.weir.redis;

import dev.weir.LimitKey;
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
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;

/** A cluster: each key in its slot, each slot on its server, both of which may move. */
final class ClusterLink implements Link {
  private final RedisClusterClient client;
  private final Keys keys;
  private final Set<Executor> loops;
  private final ConnectFailures failures;
  private final StatefulRedisClusterConnection<byte[], byte[]> connection;
  private final Disposable changes;

  /**
   * @param patience how long to wait at the start for the masters that can be reached
   */
  ClusterLink(RedisClusterClient client, Keys keys, Set<Executor> loops, Duration patience) {
    this.client = client;
    this.keys = keys;
    this.loops = loops;
    this.failures = new ConnectFailures(client.getResources());
    this.connection = client.connect(ByteArrayCodec.INSTANCE);
    reachMasters().completeOnTimeout(null, patience.toMillis(), TimeUnit.MILLISECONDS).join();
    this.changes =
        client
            .getResources()
            .eventBus()
            .get()
            .ofType(ClusterTopologyChangedEvent.class)
            .subscribe(
                change -> {
                  var unused = reachMasters();
                });
  }

  /** Connects before anybody asks: who comes while a connection is being opened is turned away. */
  private CompletableFuture<Void> reachMasters() {
    return CompletableFuture.allOf(
        connection.getPartitions().stream()
            .filter(node -> node.getRole().isUpstream()) // slots may come to it any time
            .map(
                node ->
                    reach(node)
                        .thenAccept(reached -> Script.load(reached.async()))
                        .handle((done, failure) -> null))
            .toArray(CompletableFuture[]::new));
  }

  private CompletableFuture<StatefulRedisConnection<byte[], byte[]>> reach(RedisClusterNode node) {
    RedisURI uri = node.getUri();
    try {
      return connection.getConnectionAsync(uri.getHost(), uri.getPort());
    } catch (RedisException | IllegalStateException e) {
      return CompletableFuture.failedFuture(e); // it has just left the cluster, or we have
    }
  }

  @Override
  public RedisClusterAsyncCommands<byte[], byte[]> commands() {
    return connection.async();
  }

  @Override
  public Place place(LimitKey key) {
    return place(keys.name(key));
  }

  @Override
  public Place place(byte[] name) {
    int slot = SlotHash.getSlot(name);
    RedisClusterNode node = connection.getPartitions().getPartitionBySlot(slot);
    return new Place(node == null ? "" : node.getNodeId(), slot);
  }

  @Override
  public boolean isOne() {
    return false;
  }

  @Override
  public Map<String, String> servers() {
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
  public @Nullable String whyNotConnected(String server) {
    RedisClusterNode node = connection.getPartitions().getPartitionByNodeId(server);
    return node == null ? null : failures.of(address(node));
  }

  @Override
  public Set<Executor> loops() {
    return loops;
  }

  @Override
  public boolean knows(String server) {
    return connection.getPartitions().getPartitionByNodeId(server) != null;
  }

  @Override
  public void renew(String server) {
    RedisClusterNode node = connection.getPartitions().getPartitionByNodeId(server);
    if (node != null) {
      var unused = reach(node).thenAccept(Link::disconnect);
    }
    var unused = client.refreshPartitionsAsync();
  }

  @Override
  public void close() {
    changes.dispose();
    failures.close();
    connection.close();
    Link.shutdown(client);
  }
}
