package dev.weir.redis;

import dev.weir.StoreFailure;
import dev.weir.guard.Roster.Roll;
import dev.weir.testkit.redis.Await;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionException;

/** Servers that announce themselves, and wait for what comes of it. */
final class Announced {
  static final Duration LONG = Duration.ofHours(1);

  private static final Duration LIMIT = Duration.ofSeconds(60);

  private Announced() {}

  static Roll announce(RedisStore store, String server) {
    return announce(store, server, LONG);
  }

  static Roll announce(RedisStore store, String server, Duration lasting) {
    return store.roster().announce(server, lasting).toCompletableFuture().join();
  }

  static void leave(RedisStore store, String server) {
    store.roster().leave(server).toCompletableFuture().join();
  }

  /** Again and again, until it works. */
  static Roll atLast(RedisStore store, String server) {
    Roll[] heard = new Roll[1];
    Await.until(
        "a roll for " + server,
        LIMIT,
        () ->
            failure(
                    () -> {
                      heard[0] = announce(store, server);
                    })
                .isEmpty());
    return heard[0];
  }

  /** Again and again, until it fails like this. */
  static StoreFailure failsAtLast(RedisStore store, String server, String message) {
    StoreFailure[] failure = new StoreFailure[1];
    Await.until(
        message,
        LIMIT,
        () -> {
          Optional<StoreFailure> told = failure(() -> announce(store, server));
          told.ifPresent(one -> failure[0] = one);
          return told.filter(one -> String.valueOf(one.getMessage()).contains(message)).isPresent();
        });
    return failure[0];
  }

  private static Optional<StoreFailure> failure(Runnable asked) {
    try {
      asked.run();
      return Optional.empty();
    } catch (CompletionException e) {
      if (e.getCause() instanceof StoreFailure failure) {
        return Optional.of(failure);
      }
      throw e;
    }
  }
}
