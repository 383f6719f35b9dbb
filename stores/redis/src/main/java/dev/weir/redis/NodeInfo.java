package dev.weir.redis;

import dev.weir.redis.connection.Link;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Reads what the masters of a store say about themselves. Safe for use by any number of threads.
 */
public final class NodeInfo {
  private static final long TIMEOUT_SECONDS = 2;

  private NodeInfo() {}

  /**
   * The replies to {@code INFO} with a section, by the names of the masters; an empty text where a
   * reply does not come, or is not permitted. Blocks for two seconds at most.
   */
  public static Map<String, String> read(RedisStore store, String section) {
    Link link = store.link;
    Map<String, CompletableFuture<String>> replies = new TreeMap<>();
    link.nodes().forEach((node, name) -> replies.put(name, info(link, node, section)));
    Map<String, String> texts = new TreeMap<>();
    replies.forEach((name, reply) -> texts.put(name, reply.join()));
    return texts;
  }

  private static CompletableFuture<String> info(Link link, String node, String section) {
    try {
      return link.info(node, section)
          .thenApply(text -> text) // a copy, so that the timeout does not end the command
          .toCompletableFuture()
          .completeOnTimeout("", TIMEOUT_SECONDS, TimeUnit.SECONDS)
          .exceptionally(failure -> "");
    } catch (RuntimeException e) {
      return CompletableFuture.completedFuture("");
    }
  }
}
