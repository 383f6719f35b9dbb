package dev.weir.redis;

import dev.weir.LimitKey;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;

/** One server, at an address or wherever Sentinel says the master is. */
final class DirectLink implements Link {
  private static final Place ONLY = new Place("", 0);

  private final RedisClient client;
  private final RedisURI uri;
  private final AtomicBoolean renewing = new AtomicBoolean();
  private volatile StatefulRedisConnection<byte[], byte[]> connection;
  private volatile boolean closed;

  DirectLink(RedisClient client, RedisURI uri) {
    this.client = client;
    this.uri = uri;
    this.connection = client.connect(ByteArrayCodec.INSTANCE, uri);
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
  public CompletionStage<Void> renew() {
    if (!renewing.compareAndSet(false, true)) {
      return CompletableFuture.completedStage(null);
    }
    return client
        .connectAsync(ByteArrayCodec.INSTANCE, uri)
        .handle(
            (renewed, failure) -> {
              renewing.set(false);
              if (renewed == null) {
                return null; // tried again when the next one goes unanswered
              }
              StatefulRedisConnection<byte[], byte[]> old = connection;
              connection = renewed;
              var unused = (closed ? renewed : old).closeAsync();
              return null;
            });
  }

  @Override
  public void close() {
    closed = true;
    connection.close();
    client.shutdown();
  }
}
