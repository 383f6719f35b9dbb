package dev.weir.redis;

import dev.weir.LimitKey;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** One server, at an address or wherever Sentinel says the master is. */
final class DirectLink implements Link {
  private static final Place ONLY = new Place("", 0);

  private final RedisClient client;
  private final Set<Executor> loops;
  private final ConnectFailures failures;
  private final StatefulRedisConnection<byte[], byte[]> connection;

  DirectLink(RedisClient client, RedisURI uri, Set<Executor> loops) {
    this.client = client;
    this.loops = loops;
    this.failures = new ConnectFailures(client.getResources());
    this.connection = client.connect(ByteArrayCodec.INSTANCE, uri);
    Script.load(connection.async());
  }

  @Override
  public RedisClusterAsyncCommands<byte[], byte[]> commands() {
    return connection.async();
  }

  @Override
  public Place place(LimitKey key) {
    return ONLY;
  }

  @Override
  public Place place(byte[] name) {
    return ONLY;
  }

  @Override
  public boolean isOne() {
    return true;
  }

  @Override
  public Map<String, String> servers() {
    return Map.of(ONLY.server(), "");
  }

  @Override
  public Set<Executor> loops() {
    return loops;
  }

  @Override
  public boolean knows(String server) {
    return true;
  }

  /** Sentinels are asked, and names resolved, each time a connection is opened. */
  @Override
  public void renew(String server) {
    Link.disconnect(connection);
  }

  @Override
  public @Nullable String whyNotConnected(String server) {
    return failures.last();
  }

  @Override
  public void close() {
    failures.close();
    connection.close();
    Link.shutdown(client);
  }
}
