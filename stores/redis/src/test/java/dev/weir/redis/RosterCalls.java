package dev.weir.redis;

import dev.weir.StoreFailure;
import dev.weir.shared.fleet.Roster.Roll;
import dev.weir.testkit.redis.Await;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionException;

/** Blocking calls of the roster. */
final class RosterCalls {
  static final Duration LONG = Duration.ofHours(1);

  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  private RosterCalls() {}

  static Roll announce(RedisStore store, String server) {
    return announce(store, server, LONG);
  }

  static Roll announce(RedisStore store, String server, Duration lasting) {
    return store.roster().announce(server, lasting).toCompletableFuture().join();
  }

  static void leave(RedisStore store, String server) {
    store.roster().leave(server).toCompletableFuture().join();
  }

  /** Announces a server again and again until it succeeds. */
  static Roll announceUntilSuccess(RedisStore store, String server) {
    Roll[] result = new Roll[1];
    Await.until(
        "a roll for " + server,
        TIMEOUT,
        () ->
            failure(
                    () -> {
                      result[0] = announce(store, server);
                    })
                .isEmpty());
    return result[0];
  }

  /** Announces a server again and again until it fails with this message. */
  static StoreFailure announceUntilFailure(RedisStore store, String server, String message) {
    StoreFailure[] failure = new StoreFailure[1];
    Await.until(
        message,
        TIMEOUT,
        () -> {
          Optional<StoreFailure> thrown = failure(() -> announce(store, server));
          thrown.ifPresent(one -> failure[0] = one);
          return thrown
              .filter(one -> String.valueOf(one.getMessage()).contains(message))
              .isPresent();
        });
    return failure[0];
  }

  private static Optional<StoreFailure> failure(Runnable call) {
    try {
      call.run();
      return Optional.empty();
    } catch (CompletionException e) {
      if (e.getCause() instanceof StoreFailure failure) {
        return Optional.of(failure);
      }
      throw e;
    }
  }
}
