package dev.weir.redis.connection;

import dev.weir.LimitKey;
import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.protocol.DefaultEndpoint;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The connection to Redis: to one node, to the master that Sentinel names, or to a cluster.
 * Implementations are thread-safe.
 */
public interface Link extends AutoCloseable {

  /** The commands, which are routed to the node that serves their keys. */
  RedisClusterAsyncCommands<byte[], byte[]> commands();

  /** The node and slot of a counter. Keys in different slots cannot share a call. */
  NodeSlot nodeSlot(LimitKey key);

  /** The node and slot of any key. */
  NodeSlot nodeSlot(byte[] name);

  /**
   * Where a key is stored.
   *
   * @param node the identifier of the node; always the same text for the same node
   * @param slot the hash slot on it; 0 where there are no slots
   */
  record NodeSlot(String node, int slot) {}

  /** Whether one node holds all keys, so that they can only be lost together. */
  boolean isSingleNode();

  /** The nodes that hold keys at the moment: identifiers to names for people. */
  Map<String, String> nodes();

  /** The reply of a node to {@code INFO} with a section; fails if the link cannot ask for it. */
  default CompletionStage<String> info(String node, String section) {
    return CompletableFuture.failedStage(new UnsupportedOperationException("INFO " + section));
  }

  /** A live view of the event loops that read from Redis. */
  Set<Executor> eventLoops();

  /** Whether a node may still hold keys. */
  boolean knowsNode(String node);

  /**
   * Closes the connection to a node that does not answer, or that is no longer the master. Commands
   * in flight on it fail; a new connection is opened to the node that is the right one by then.
   */
  void reconnect(String node);

  /** Why there is no connection to a node, if there is none and the reason is known. */
  default @Nullable String connectFailure(String node) {
    return null;
  }

  /** Closes all connections and ends their threads. */
  @Override
  void close();

  /** Closes a connection, which then reconnects by itself. */
  static void disconnect(StatefulConnection<?, ?> connection) {
    if (connection instanceof RedisChannelHandler<?, ?> handler
        && handler.getChannelWriter() instanceof DefaultEndpoint endpoint) {
      endpoint.disconnect();
    }
  }

  /** Shuts down a client with its connections and threads, on an interrupted thread too. */
  static void shutdown(AbstractRedisClient client) {
    boolean interrupted = Thread.interrupted(); // the driver would leave its threads running
    try {
      client.shutdown();
    } finally {
      client
          .getResources()
          .shutdown(0, 1, TimeUnit.SECONDS)
          .awaitUninterruptibly(2, TimeUnit.SECONDS);
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
