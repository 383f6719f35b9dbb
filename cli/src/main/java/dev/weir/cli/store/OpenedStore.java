package dev.weir.cli.store;

import dev.weir.Store;
import dev.weir.cli.command.ExitCode;
import dev.weir.cli.command.Failure;
import dev.weir.memory.MemoryStore;
import dev.weir.redis.RedisStore;
import dev.weir.redis.connection.RedisSettings;
import dev.weir.redis.connection.RedisUnusable;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * A store of a user, opened to be examined: without what servers agree on, such as their secret.
 *
 * @param name of the store, without credentials
 * @param redis the same store, if it is in Redis
 */
public record OpenedStore(Store store, String name, Optional<RedisStore> redis)
    implements AutoCloseable {
  private static final Logger LETTUCE = Logger.getLogger("io.lettuce");
  private static final Duration DEADLINE = Duration.ofSeconds(2);

  /**
   * Opens the store that a flag, a file or the environment names.
   *
   * @throws Failure if it names none, or if the store cannot be used
   */
  public static OpenedStore open(
      @Nullable String flag, @Nullable Path file, Map<String, String> environment) throws Failure {
    StoreChoice choice = StoreChoice.of(flag, file, environment, StoreChoice.IN_PROCESS);
    if (choice.isEmbedded()) {
      return new OpenedStore(new MemoryStore(), "embedded", Optional.empty());
    }
    LETTUCE.setLevel(Level.OFF); // the failure itself is reported
    try {
      // Slow is a finding, and no failure.
      RedisSettings settings = RedisSettings.parse(choice.url()).withDeadline(DEADLINE);
      settings.checkFiles();
      RedisStore store = RedisStore.connect(settings);
      return new OpenedStore(store, settings.toString(), Optional.of(store));
    } catch (IllegalArgumentException e) {
      throw choice.invalid(String.valueOf(e.getMessage()));
    } catch (RedisUnusable e) {
      throw new Failure(ExitCode.USAGE, String.valueOf(e.getMessage()));
    }
  }

  @Override
  public void close() {
    redis.ifPresent(RedisStore::close);
  }
}
