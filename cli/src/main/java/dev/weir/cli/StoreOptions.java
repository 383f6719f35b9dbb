package dev.weir.cli;

import dev.weir.Ticker;
import dev.weir.guard.GuardSettings;
import dev.weir.memory.MemoryStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Where counters are kept. */
final class StoreOptions {
  private static final int MAX_WAIT_SECONDS = 86_400;

  /** As many as the table of counters can have. */
  private static final long MAX_KEYS = 1L << 30;

  @Option(
      names = "--store",
      paramLabel = "URL",
      description =
          "Where counters live: embedded, in this process; or in Redis or Valkey, shared by"
              + " servers: redis:, rediss:, redis-socket:, redis-sentinel:, redis-cluster:. If not"
              + " given: $WEIR_STORE, else embedded.")
  private @Nullable String store;

  @Option(
      names = "--store-file",
      paramLabel = "FILE",
      description = "The same, read from the first line of a file, for a URL with a password.")
  private @Nullable Path storeFile;

  @Option(
      names = "--store-wait",
      paramLabel = "SECONDS",
      description = "Go on trying so long to reach the store at the start; 0.")
  private @Nullable String storeWait;

  @Option(
      names = "--key-secret-file",
      paramLabel = "FILE",
      description =
          "The secret for keys, the same for all servers on one store. If not given:"
              + " $WEIR_KEY_SECRET, else one that they keep in the store.")
  private @Nullable Path keySecretFile;

  @Option(names = "--max-keys", paramLabel = "N", description = "Most counters in memory; 1000000.")
  private String maxKeys = String.valueOf(MemoryStore.DEFAULT_MAX_KEYS);

  @Mixin private final BreakerOptions breaker = new BreakerOptions();

  /** Whether somebody says where counters are, beside the variables of envoyproxy/ratelimit. */
  boolean isGiven(Map<String, String> environment) {
    return store != null
        || storeFile != null
        || !environment.getOrDefault(StoreChoice.VARIABLE, "").isBlank();
  }

  /**
   * @param redis where envoyproxy/ratelimit would find it, for those who give nothing else
   * @throws IllegalArgumentException with what makes no sense
   */
  Counters open(Map<String, String> environment, Optional<String> redis, Terminal err)
      throws Failure, InterruptedException {
    StoreChoice usual =
        redis.map(url -> new StoreChoice("REDIS_URL", url)).orElse(StoreChoice.HERE);
    StoreChoice choice = StoreChoice.of(store, storeFile, environment, usual);
    KeySecret secret = KeySecret.given(keySecretFile, environment);
    // Who comes from envoyproxy/ratelimit is used to a start that waits for Redis.
    long usualWait = choice.equals(usual) ? MAX_WAIT_SECONDS : 0;
    long wait =
        storeWait == null ? usualWait : Flag.whole("--store-wait", storeWait, 0, MAX_WAIT_SECONDS);
    GuardSettings guard = breaker.settings();
    return choice.isEmbedded()
        ? Counters.embedded(memory(), secret)
        : RedisCounters.open(choice, secret, memory(), guard, Duration.ofSeconds(wait), err);
  }

  private MemoryStore memory() {
    long keys = Flag.whole("--max-keys", maxKeys, 1, MAX_KEYS);
    return new MemoryStore(keys, Ticker.system());
  }
}
