package dev.weir.redis;

import dev.weir.LimitKey;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.util.concurrent.CompletionStage;

/** A way to Redis: one server, whichever Sentinel names, or a cluster. */
interface Link extends AutoCloseable {

  /** The commands, for keys wherever they are. */
  RedisClusterAsyncCommands<byte[], byte[]> commands();

  /**
   * What serves a key: keys of different places cannot be in one call. The same text for the same
   * server.
   */
  Place place(LimitKey key);

  /** Where a key lives: on a server, and there in a slot. */
  record Place(String server, int slot) {}

  /** Lets go of a connection that does not answer, or answers for the wrong server. */
  CompletionStage<Void> renew();

  @Override
  void close();
}
