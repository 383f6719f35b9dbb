package dev.weir.cli;

import dev.weir.key.KeySpace;
import dev.weir.redis.RedisSettings;
import dev.weir.redis.RedisStore;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The secret for keys that all servers on one Redis share: with two secrets there are two counters
 * for each caller, and every limit is twice as high without anybody noticing.
 *
 * <p>So they agree through Redis. A server that was given a secret leaves a fingerprint of it
 * there; one that was given none takes the secret it finds, or leaves one there for the others.
 * Whoever comes with another secret is refused. If what was left is lost, those who run put it
 * back.
 */
final class FleetSecret {
  private static final Logger LOG = System.getLogger(FleetSecret.class.getName());
  private static final String NAME = "key-secret";
  private static final long ANSWER_SECONDS = 5;
  private static final long LOOK_SECONDS = 5;

  private final RedisStore redis;
  private final KeySecret secret;
  private final String kept;
  private final String where;
  private volatile List<String> problems = List.of();

  private FleetSecret(RedisStore redis, KeySecret secret, String kept, String where) {
    this.redis = redis;
    this.secret = secret;
    this.kept = kept;
    this.where = where;
  }

  /**
   * @throws Failure if the others have another secret, or Redis does not say
   */
  static FleetSecret agree(RedisStore redis, RedisSettings settings, @Nullable KeySecret given)
      throws Failure, InterruptedException {
    KeySecret mine = given == null ? KeySecret.random() : given;
    String offer = given == null ? mine.hex() : mine.fingerprint();
    String kept = kept(redis, offer, settings);
    KeySecret found = KeySecret.parse(kept);
    String where = settings.prefix() + NAME;
    if (given == null && found != null) {
      return new FleetSecret(redis, found, kept, where);
    }
    if (given != null && (kept.equals(offer) || (found != null && found.isSame(given)))) {
      return new FleetSecret(redis, given, kept, where);
    }
    String why =
        given == null
            ? "its servers share a key secret that is not kept there (expected: "
                + "--key-secret-file or "
                + KeySecret.VARIABLE
                + " with that secret)"
            : "its servers have another key secret (expected: the same for all; to change it, stop"
                + " them and delete the key "
                + where
                + ")";
    throw new Failure(Exit.USAGE, "Redis at " + settings + ": " + why);
  }

  private static String kept(RedisStore redis, String offer, RedisSettings settings)
      throws Failure, InterruptedException {
    String why;
    try {
      return redis.keep(NAME, offer).toCompletableFuture().get(ANSWER_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      Throwable cause = e.getCause() instanceof CompletionException c ? c.getCause() : e.getCause();
      why = String.valueOf(cause == null ? e.getMessage() : cause.getMessage());
    } catch (TimeoutException e) {
      why = "no answer in " + ANSWER_SECONDS + " s";
    }
    throw new Failure(Exit.USAGE, "Redis at " + settings + ": key secret: " + why);
  }

  KeySpace keys() {
    return secret.keys();
  }

  /** What operators must know: empty, as long as all have the same secret. */
  List<String> problems() {
    return problems;
  }

  void watch(ScheduledExecutorService scheduler) {
    var unused =
        scheduler.scheduleWithFixedDelay(this::look, LOOK_SECONDS, LOOK_SECONDS, TimeUnit.SECONDS);
  }

  private void look() {
    try {
      var unused = redis.keep(NAME, kept).thenAccept(this::found);
    } catch (RuntimeException e) {
      LOG.log(Level.DEBUG, "Looked in vain for the key secret", e); // and looks again soon
    }
  }

  private void found(String now) {
    if (now.equals(kept)) {
      problems = List.of();
    } else if (problems.isEmpty()) {
      String problem =
          "store: the key "
              + where
              + " holds another secret than this server has: it counts by itself (restart it)";
      LOG.log(Level.ERROR, problem);
      problems = List.of(problem);
    }
  }
}
