package dev.weir.redis;

import dev.weir.LimitKey;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import io.lettuce.core.codec.ByteArrayCodec;
import java.util.concurrent.CompletionStage;

/** A cluster: each key in its slot, each slot on its server, both of which may move. */
final class ClusterLink implements Link {
  private final RedisClusterClient client;
  private final Keys keys;
  private final StatefulRedisClusterConnection<byte[], byte[]> connection;

  ClusterLink(RedisClusterClient client, Keys keys) {
    this.client = client;
    this.keys = keys;
    this.connection = client.connect(ByteArrayCodec.INSTANCE);
  }

  @Override
  public RedisClusterAsyncCommands<byte[], byte[]> commands() {
    return connection.async();
  }

  @Override
  public Place place(LimitKey key) {
    int slot = SlotHash.getSlot(keys.name(key));
    RedisClusterNode node = connection.getPartitions().getPartitionBySlot(slot);
    return new Place(node == null ? "" : node.getNodeId(), slot);
  }

  @Override
  public CompletionStage<Void> renew() {
    return client.refreshPartitionsAsync();
  }

  @Override
  public void close() {
    connection.close();
    client.shutdown();
  }
}
