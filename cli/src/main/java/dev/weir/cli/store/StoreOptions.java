package dev.weir.cli.store;

import dev.weir.cli.command.Failure;
import dev.weir.cli.command.Flag;
import dev.weir.cli.options.BreakerOptions;
import dev.weir.cli.store.RedisCounterStore.Start;
import dev.weir.cli.terminal.Terminal;
import dev.weir.key.KeySecret;
import dev.weir.memory.MemoryStore;
import dev.weir.shared.GuardSettings;
import dev.weir.time.Ticker;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options for the store of counters. */
public final class StoreOptions {
  private static final int MAX_WAIT_SECONDS = 86_400;

  /** The largest table that the in-process store can have. */
  private static final long MAX_KEYS = 1L << 30;

  @Option(
      names = "--store",
      paramLabel = "URL",
      description =
          "Store of the counters: embedded, in this process; or the URL of a Redis or Valkey that"
              + " servers share: redis:, rediss:, redis-socket:, redis-sentinel:, redis-cluster:."
              + " If not given: $WEIR_STORE, else embedded.")
  private @Nullable String store;

  @Option(
      names = "--store-file",
      paramLabel = "FILE",
      description = "File with the value of --store in its first line, for a URL with a password.")
  private @Nullable Path storeFile;

  @Option(
      names = "--store-wait",
      paramLabel = "SECONDS",
      description =
          "How long to keep trying to reach the store at the start, before starting without it; 0.")
  private String storeWait = "0";

  @Option(
      names = "--store-required",
      description =
          "Do not start without the store. If not given, a server whose store cannot be reached"
              + " starts all the same, when-store-fails decides, and the server joins the store as"
              + " soon as it answers.")
  private boolean storeRequired;

  @Option(
      names = "--key-secret-file",
      paramLabel = "FILE",
      description =
          "File with the key secret, the same for all servers on one store. If not given:"
              + " $WEIR_KEY_SECRET, else a secret that the servers keep in the store.")
  private @Nullable Path keySecretFile;

  @Option(
      names = "--max-keys",
      paramLabel = "N",
      description = "Maximum number of counters in memory; 1000000.")
  private String maxKeys = String.valueOf(MemoryStore.DEFAULT_MAX_KEYS);

  @Mixin private final BreakerOptions breaker = new BreakerOptions();

  /** Whether a flag or Weir's own variable sets the store, not only envoyproxy/ratelimit's. */
  public boolean isGiven(Map<String, String> environment) {
    return store != null
        || storeFile != null
        || !environment.getOrDefault(StoreChoice.VARIABLE, "").isBlank();
  }

  /**
   * Opens the configured store.
   *
   * @param redis the URL by the variables of envoyproxy/ratelimit, used if nothing else is given
   * @param err for a line about each failed attempt to connect
   * @throws IllegalArgumentException if a flag has an invalid value
   * @throws Failure if the store or a file is unusable
   */
  public CounterStore open(Map<String, String> environment, Optional<String> redis, Terminal err)
      throws Failure, InterruptedException {
    StoreChoice defaultChoice =
        redis.map(url -> new StoreChoice("REDIS_URL", url)).orElse(StoreChoice.IN_PROCESS);
    StoreChoice choice = StoreChoice.of(store, storeFile, environment, defaultChoice);
    KeySecret secret = KeySecretSource.configured(keySecretFile, environment);
    long wait = Flag.integer("--store-wait", storeWait, 0, MAX_WAIT_SECONDS);
    Start start = new Start(Duration.ofSeconds(wait), storeRequired);
    GuardSettings guard = breaker.settings();
    return choice.isEmbedded()
        ? CounterStore.embedded(memory(), secret)
        : RedisCounterStore.open(choice, secret, memory(), guard, start, err);
  }

  private MemoryStore memory() {
    long keys = Flag.integer("--max-keys", maxKeys, 1, MAX_KEYS);
    return new MemoryStore(keys, Ticker.system());
  }
}
