package dev.weir.redis.connection;

import dev.weir.LimitKey;
import dev.weir.redis.script.Script;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** A link to one node, at a fixed address or at the one that Sentinel reports for the master. */
final class DirectLink implements Link {
  private static final NodeSlot ONLY = new NodeSlot("", 0);

  private final RedisClient client;
  private final Set<Executor> eventLoops;
  private final ConnectFailures failures;
  private final StatefulRedisConnection<byte[], byte[]> connection;

  DirectLink(RedisClient client, RedisURI uri, Set<Executor> eventLoops) {
    this.client = client;
    this.eventLoops = eventLoops;
    this.failures = new ConnectFailures(client.getResources());
    this.connection = client.connect(ByteArrayCodec.INSTANCE, uri);
    Script.load(connection.async());
  }

  @Override
  public RedisClusterAsyncCommands<byte[], byte[]> commands() {
    return connection.async();
  }

  @Override
  public NodeSlot nodeSlot(LimitKey key) {
    return ONLY;
  }

  @Override
  public NodeSlot nodeSlot(byte[] name) {
    return ONLY;
  }

  @Override
  public boolean isSingleNode() {
    return true;
  }

  @Override
  public Map<String, String> nodes() {
    return Map.of(ONLY.node(), "");
  }

  @Override
  public CompletionStage<String> info(String node, String section) {
    return connection.async().info(section);
  }

  @Override
  public Set<Executor> eventLoops() {
    return eventLoops;
  }

  @Override
  public boolean knowsNode(String node) {
    return true;
  }

  /** Each new connection queries the Sentinels and resolves host names again. */
  @Override
  public void reconnect(String node) {
    Link.disconnect(connection);
  }

  @Override
  public @Nullable String connectFailure(String node) {
    return failures.last();
  }

  @Override
  public void close() {
    failures.close();
    connection.close();
    Link.shutdown(client);
  }
}
