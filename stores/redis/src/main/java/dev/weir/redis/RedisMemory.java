package dev.weir.redis;

import dev.weir.StoreFailure;
import dev.weir.redis.connection.Link;
import dev.weir.redis.connection.RedisFailures;
import dev.weir.shared.StoreMemory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the memory of every master by {@code INFO memory} and {@code INFO stats}. Its calls bypass
 * the lanes: no caller waits for them. Thread-safe.
 *
 * <p>A user without permission for INFO makes no difference to decisions. Redis logs every command
 * that it refuses, so after a refusal many reads are left out.
 */
final class RedisMemory implements StoreMemory {
  private static final Duration TIMEOUT = Duration.ofSeconds(2);

  /** So many reads are left out after Redis refused one. */
  static final int SKIPPED_READS = 60;

  private final Link link;
  private final AtomicInteger skipped = new AtomicInteger();

  RedisMemory(Link link) {
    this.link = link;
  }

  @Override
  public CompletionStage<List<Node>> read() {
    if (skipped.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
      return UNKNOWN.read();
    }
    List<CompletableFuture<Optional<Node>>> all = new ArrayList<>();
    for (Map.Entry<String, String> node : link.nodes().entrySet()) {
      all.add(read(node.getKey(), node.getValue()).toCompletableFuture());
    }
    return CompletableFuture.allOf(all.toArray(CompletableFuture<?>[]::new))
        .thenApply(done -> all.stream().flatMap(one -> one.join().stream()).toList());
  }

  private CompletionStage<Optional<Node>> read(String id, String name) {
    return info(id, "memory")
        .thenCombine(info(id, "stats"), (memory, stats) -> node(name, memory, stats))
        .exceptionally(this::onFailure);
  }

  private CompletableFuture<String> info(String id, String section) {
    CompletionStage<String> reply;
    try {
      reply = link.info(id, section);
    } catch (RuntimeException e) {
      reply = CompletableFuture.failedStage(e);
    }
    return reply
        .thenApply(text -> text) // a copy, so that the timeout does not end the command
        .toCompletableFuture()
        .orTimeout(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
  }

  private Optional<Node> onFailure(Throwable failure) {
    if ("NOPERM".equals(RedisFailures.errorCode(StoreFailure.cause(failure)))) {
      skipped.set(SKIPPED_READS);
    }
    return Optional.empty();
  }

  private static Optional<Node> node(String name, String memory, String stats) {
    OptionalLong used = field(memory, "used_memory");
    OptionalLong evicted = field(stats, "evicted_keys");
    if (used.isEmpty() || evicted.isEmpty()) {
      return Optional.empty(); // not what Redis answers
    }
    OptionalLong max = field(memory, "maxmemory");
    boolean bounded = max.isPresent() && max.getAsLong() > 0;
    return Optional.of(
        new Node(
            name, used.getAsLong(), bounded ? max : OptionalLong.empty(), evicted.getAsLong()));
  }

  private static OptionalLong field(String info, String name) {
    Matcher value = Pattern.compile("(?m)^" + name + ":(\\d{1,18})\\s*$").matcher(info);
    return value.find() ? OptionalLong.of(Long.parseLong(value.group(1))) : OptionalLong.empty();
  }
}
