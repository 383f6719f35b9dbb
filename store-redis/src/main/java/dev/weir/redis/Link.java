package dev.weir.redis;

import dev.weir.LimitKey;
import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.protocol.DefaultEndpoint;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A way to Redis: one server, whichever Sentinel names, or a cluster. */
interface Link extends AutoCloseable {

  /** The commands, for keys wherever they are. */
  RedisClusterAsyncCommands<byte[], byte[]> commands();

  /**
   * What serves a key: keys of different places cannot be in one call. The same text for the same
   * server.
   */
  Place place(LimitKey key);

  /** The same for any key, by its name. */
  Place place(byte[] name);

  /** Where a key lives: on a server, and there in a slot. */
  record Place(String server, int slot) {}

  /** Whether all keys are lost together, if any are. */
  boolean isOne();

  /** The servers that keys are on at the moment, and what people call them. */
  Map<String, String> servers();

  /** The event loops that read from it, as many as there are by now. */
  Set<Executor> loops();

  /** Whether that server may still be somebody's place. */
  boolean knows(String server);

  /**
   * Breaks the connection to a server that does not answer, or answers for the wrong one. What is
   * out on it fails; another connection is opened, to whoever is the right one by then.
   */
  void renew(String server);

  /** Why there is no connection to a server, if there is none and somebody said why. */
  default @Nullable String whyNotConnected(String server) {
    return null;
  }

  @Override
  void close();

  /** Breaks a connection, which opens itself again. */
  static void disconnect(StatefulConnection<?, ?> connection) {
    if (connection instanceof RedisChannelHandler<?, ?> handler
        && handler.getChannelWriter() instanceof DefaultEndpoint endpoint) {
      endpoint.disconnect();
    }
  }

  /** Ends a client with its connections and threads. */
  static void shutdown(AbstractRedisClient client) {
    client.shutdown();
    client
        .getResources()
        .shutdown(0, 1, TimeUnit.SECONDS)
        .awaitUninterruptibly(2, TimeUnit.SECONDS);
  }
}
