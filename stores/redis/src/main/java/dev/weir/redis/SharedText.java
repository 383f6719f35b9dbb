package dev.weir.redis;

import dev.weir.redis.connection.Link;
import io.lettuce.core.SetArgs;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A text that all clients of a Redis share, stored without expiry. Thread-safe. */
final class SharedText {
  private final Link link;
  private final byte[] key;

  SharedText(Link link, String key) {
    this.link = link;
    this.key = key.getBytes(StandardCharsets.UTF_8);
  }

  /** Stores a text unless one is stored already; completes with the stored text. */
  CompletionStage<String> setIfAbsent(String text) {
    // Reads first, because a full Redis refuses the write even if the text is there.
    return get()
        .thenCompose(
            stored ->
                stored.isPresent()
                    ? CompletableFuture.completedStage(stored)
                    : link.commands()
                        .set(key, text.getBytes(StandardCharsets.UTF_8), SetArgs.Builder.nx())
                        .thenCompose(set -> get()))
        .thenApply(stored -> stored.orElse(text));
  }

  /** Reads with MGET, which the scripts use too, so that no other permission is needed. */
  private CompletionStage<Optional<String>> get() {
    return link.commands()
        .mget(key)
        .thenApply(
            found ->
                found.get(0).optional().map(bytes -> new String(bytes, StandardCharsets.UTF_8)));
  }
}
