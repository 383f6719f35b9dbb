package dev.weir.redis;

import dev.weir.key.KeySecret;
import dev.weir.key.KeySpace;
import dev.weir.redis.connection.RedisUnusable;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The key secret that all servers on one Redis share.
 *
 * <p>With two secrets there are two counters for each caller, and every limit is twice as high
 * without anybody noticing. So servers agree through Redis. A server that was given a secret stores
 * its fingerprint there; one that was given none uses the secret it finds, or stores a random one.
 * A server with another secret is rejected. If the stored value is lost, running servers put it
 * back.
 *
 * <p>A server that cannot reach Redis begins with the secret it was given, or with a random one,
 * and agrees later.
 *
 * <p>Safe for use by any number of threads.
 */
final class SharedKeySecret {
  private static final Logger LOG = System.getLogger(SharedKeySecret.class.getName());
  private static final String NAME = "key-secret";
  private static final long TIMEOUT_SECONDS = 5;

  private final boolean given;
  private final KeySecret own;
  private final KeySpace keys;

  /** What is stored in Redis; null before servers have agreed. */
  private volatile @Nullable String stored;

  private volatile List<String> problems = List.of();

  /**
   * A secret that no other server knows of yet.
   *
   * @param given the secret of this server, or null to use that of the others
   */
  SharedKeySecret(@Nullable KeySecret given) {
    this.given = given != null;
    this.own = given == null ? KeySecret.random() : given;
    this.keys = own.keys();
  }

  /**
   * Agrees with the other servers on a secret; from then on {@link #keys} are theirs.
   *
   * @throws KeySecretConflict if the others have a secret that this server does not know
   * @throws RedisUnusable if Redis does not answer
   */
  void agree(RedisStore redis) throws InterruptedException {
    String offer = given ? own.fingerprint() : own.hex();
    String found = await(redis, offer);
    Optional<KeySecret> secret = KeySecret.parse(found);
    boolean same = found.equals(offer) || secret.filter(own::equals).isPresent();
    if (!same && (given || secret.isEmpty())) {
      throw new KeySecretConflict(given, redis + ": " + conflict(redis));
    }
    if (!same) {
      keys.adopt(secret.get());
    }
    stored = found;
  }

  private String conflict(RedisStore redis) {
    return given
        ? "its servers use a different key secret (expected: the same for all; to change it, stop"
            + " them and delete the key "
            + redis.keyOf(NAME)
            + ")"
        : "its servers share a key secret that is not stored there (expected: that secret)";
  }

  private static String await(RedisStore redis, String offer) throws InterruptedException {
    String why;
    @Nullable Throwable cause;
    try {
      return redis
          .setIfAbsent(NAME, offer)
          .toCompletableFuture()
          .get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      cause = e.getCause() instanceof CompletionException c ? c.getCause() : e.getCause();
      why = String.valueOf(cause == null ? e.getMessage() : cause.getMessage());
    } catch (TimeoutException e) {
      cause = e;
      why = "no answer in " + TIMEOUT_SECONDS + " s";
    }
    throw RedisUnusable.because(redis + ": key secret: " + why, cause);
  }

  /** Keys under the secret; under that of the other servers once they have agreed. */
  KeySpace keys() {
    return keys;
  }

  /** What an operator must know; empty as long as all servers have the same secret. */
  List<String> problems() {
    return problems;
  }

  /** Checks that the agreed secret is still stored, and stores it again if not. */
  void check(RedisStore redis) {
    String agreed = stored;
    if (agreed != null) {
      var unused =
          redis.setIfAbsent(NAME, agreed).thenAccept(now -> onStored(redis, now.equals(agreed)));
    }
  }

  private void onStored(RedisStore redis, boolean same) {
    if (same) {
      problems = List.of();
    } else if (problems.isEmpty()) {
      String problem =
          "store: the key "
              + redis.keyOf(NAME)
              + " holds a different secret than this server uses: it counts by itself (restart it)";
      LOG.log(Level.ERROR, problem);
      problems = List.of(problem);
    }
  }
}
