package dev.weir.redis;

import io.lettuce.core.SetArgs;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A text beside the counters, for all who share them. It stays until somebody deletes it. */
final class KeptText {
  private final Link link;
  private final byte[] key;

  KeptText(Link link, String key) {
    this.link = link;
    this.key = key.getBytes(StandardCharsets.UTF_8);
  }

  /** Keeps this one, unless one is kept already; either way, the one that is kept. */
  CompletionStage<String> keep(String text) {
    // Looked at first: a Redis that is full refuses to write even what is there.
    return kept()
        .thenCompose(
            kept ->
                kept.isPresent()
                    ? CompletableFuture.completedStage(kept)
                    : link.commands()
                        .set(key, text.getBytes(StandardCharsets.UTF_8), SetArgs.Builder.nx())
                        .thenCompose(set -> kept()))
        .thenApply(kept -> kept.orElse(text));
  }

  /** By MGET, which the script uses too, so that nobody needs one more permission. */
  private CompletionStage<Optional<String>> kept() {
    return link.commands()
        .mget(key)
        .thenApply(
            found ->
                found.get(0).optional().map(bytes -> new String(bytes, StandardCharsets.UTF_8)));
  }
}
