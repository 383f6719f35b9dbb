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
import java.util.concurrent.ScheduledExecutorService;
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
 * <p>Safe for use by any number of threads.
 */
public final class SharedKeySecret {
  private static final Logger LOG = System.getLogger(SharedKeySecret.class.getName());
  private static final String NAME = "key-secret";
  private static final long TIMEOUT_SECONDS = 5;
  private static final long CHECK_SECONDS = 5;

  private final RedisStore redis;
  private final KeySecret secret;
  private final String stored;
  private volatile List<String> problems = List.of();

  /** The secret of a server is not that of the others. */
  public static final class Conflict extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final boolean given;

    private Conflict(boolean given, String message) {
      super(message);
      this.given = given;
    }

    /** Whether this server was given a secret, and the others have another one. */
    public boolean isGiven() {
      return given;
    }
  }

  private SharedKeySecret(RedisStore redis, KeySecret secret, String stored) {
    this.redis = redis;
    this.secret = secret;
    this.stored = stored;
  }

  /**
   * Agrees with the other servers on a secret.
   *
   * @param given the secret of this server, or null to use that of the others
   * @throws Conflict if the others have a secret that this server does not know
   * @throws RedisUnusable if Redis does not answer
   */
  static SharedKeySecret agree(RedisStore redis, @Nullable KeySecret given)
      throws InterruptedException {
    KeySecret own = given == null ? KeySecret.random() : given;
    String offer = given == null ? own.hex() : own.fingerprint();
    String stored = stored(redis, offer);
    Optional<KeySecret> found = KeySecret.parse(stored);
    if (given == null && found.isPresent()) {
      return new SharedKeySecret(redis, found.get(), stored);
    }
    if (given != null && (stored.equals(offer) || found.filter(given::equals).isPresent())) {
      return new SharedKeySecret(redis, given, stored);
    }
    throw new Conflict(
        given != null,
        given == null
            ? "its servers share a key secret that is not stored there (expected: that secret)"
            : "its servers use a different key secret (expected: the same for all; to change it, stop"
                + " them and delete the key "
                + redis.keyOf(NAME)
                + ")");
  }

  private static String stored(RedisStore redis, String offer) throws InterruptedException {
    String why;
    try {
      return redis
          .setIfAbsent(NAME, offer)
          .toCompletableFuture()
          .get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      Throwable cause = e.getCause() instanceof CompletionException c ? c.getCause() : e.getCause();
      why = String.valueOf(cause == null ? e.getMessage() : cause.getMessage());
    } catch (TimeoutException e) {
      why = "no answer in " + TIMEOUT_SECONDS + " s";
    }
    throw new RedisUnusable("key secret: " + why);
  }

  /** Keys under the shared secret. */
  public KeySpace keys() {
    return secret.keys();
  }

  /** What an operator must know; empty as long as all servers have the same secret. */
  public List<String> problems() {
    return problems;
  }

  /** Checks every few seconds that the secret is still stored, and stores it again if not. */
  public void watch(ScheduledExecutorService scheduler) {
    var unused =
        scheduler.scheduleWithFixedDelay(
            this::check, CHECK_SECONDS, CHECK_SECONDS, TimeUnit.SECONDS);
  }

  private void check() {
    try {
      var unused = redis.setIfAbsent(NAME, stored).thenAccept(this::onStored);
    } catch (RuntimeException e) {
      LOG.log(Level.DEBUG, "Failed to check the key secret", e); // the next check is soon
    }
  }

  private void onStored(String now) {
    if (now.equals(stored)) {
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
