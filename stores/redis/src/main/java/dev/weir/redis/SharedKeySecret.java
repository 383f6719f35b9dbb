package dev.weir.redis;

import dev.weir.key.KeySecret;
import dev.weir.key.KeySpace;
import dev.weir.redis.connection.RedisUnusable;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
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
 * back; if a server that starts is quicker, those that were given no secret adopt its one.
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
  private final KeySpace keys;

  /** The secret that is in use. */
  private volatile KeySecret secret;

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
    this.secret = given == null ? KeySecret.random() : given;
    this.keys = secret.keys();
  }

  /**
   * Agrees with the other servers on a secret; from then on {@link #keys} are theirs.
   *
   * @throws KeySecretConflict if the others have a secret that this server does not know
   * @throws RedisUnusable if Redis does not answer
   */
  void agree(RedisStore redis) throws InterruptedException {
    String found = await(redis, given ? secret.fingerprint() : secret.hex());
    if (!accept(found)) {
      throw new KeySecretConflict(given, redis + ": " + conflict(redis));
    }
    stored = found;
  }

  /** Uses the stored secret, if this server knows it or was given none of its own. */
  private boolean accept(String found) {
    Optional<KeySecret> theirs = KeySecret.parse(found);
    if (found.equals(secret.fingerprint()) || theirs.filter(secret::equals).isPresent()) {
      return true;
    }
    if (given || theirs.isEmpty()) {
      return false;
    }
    secret = theirs.get();
    keys.adopt(secret);
    return true;
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

  /**
   * Checks that the agreed secret is still stored, and stores it again if not. If Redis lost it,
   * and another server was quicker to store its own, a server that was given none adopts that one.
   */
  CompletionStage<Void> check(RedisStore redis) {
    String agreed = stored;
    return agreed == null
        ? CompletableFuture.completedStage(null)
        : redis
            .setIfAbsent(NAME, agreed)
            .toCompletableFuture()
            .orTimeout(TIMEOUT_SECONDS, TimeUnit.SECONDS)
            .thenAccept(found -> onStored(redis, agreed, found));
  }

  private synchronized void onStored(RedisStore redis, String agreed, String found) {
    if (found.equals(agreed)) {
      problems = List.of();
    } else if (accept(found)) {
      stored = found;
      problems = List.of();
      LOG.log(
          Level.WARNING,
          "{0} lost the key secret, and another server stored its own: this server now uses it too,"
              + " and counts anew",
          redis);
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
