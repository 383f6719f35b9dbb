package dev.weir.client.dispatch;

import java.time.Duration;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * When requests are sent, and whether again; {@code ClientBuilder} describes each setting.
 * Immutable.
 *
 * @param attempts how often a request is sent at most
 * @param backoffBase the longest wait before the first retry
 * @param backoffMax the longest wait before any retry, beside what the server asks for
 * @param maxWait the longest single wait of a request, for its turn or for a retry
 * @param maxPause for how long requests to an origin are held back at most
 * @param deadline the time for a request with its waits and retries
 * @param budgetPercent the retries in percent of the requests
 * @param budgetMinimum the retries in ten seconds that are always allowed
 * @param methods the methods of requests that are retried
 * @param retryDenied whether requests of other methods are retried if they were denied
 * @param retryFailures whether requests are retried if there was no response
 * @param pacing whether requests wait until the server has room for them
 * @param maxWaiting how many requests to an origin may wait at a time
 */
public record DispatchSettings(
    int attempts,
    Duration backoffBase,
    Duration backoffMax,
    Duration maxWait,
    Duration maxPause,
    Duration deadline,
    int budgetPercent,
    int budgetMinimum,
    Set<String> methods,
    boolean retryDenied,
    boolean retryFailures,
    boolean pacing,
    int maxWaiting) {
  private static final Duration LONGEST = Duration.ofDays(1);

  /** What is used if nothing else is set. */
  public static final DispatchSettings DEFAULT =
      new DispatchSettings(
          4,
          Duration.ofMillis(100),
          Duration.ofSeconds(10),
          Duration.ofSeconds(10),
          Duration.ofMinutes(1),
          Duration.ofSeconds(30),
          20,
          10,
          Set.of("GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE"),
          false,
          true,
          true,
          1_000);

  /**
   * Checks the settings.
   *
   * @throws IllegalArgumentException if one is out of its range
   */
  public DispatchSettings {
    between("attempts", attempts, 1, 100);
    between("backoff base", backoffBase, Duration.ofMillis(1));
    between("backoff max", backoffMax, backoffBase);
    between("max wait", maxWait, Duration.ZERO);
    between("max pause", maxPause, Duration.ofMillis(1));
    between("deadline", deadline, Duration.ofMillis(1));
    between("retry budget percent", budgetPercent, 0, 100);
    between("retry budget minimum", budgetMinimum, 0, 1_000_000);
    between("max waiting", maxWaiting, 0, 1_000_000);
    methods =
        methods.stream()
            .map(method -> method.toUpperCase(Locale.ROOT))
            .collect(Collectors.toUnmodifiableSet());
  }

  private static void between(String field, int value, int min, int max) {
    if (value < min || value > max) {
      throw rejected(field, value, "between " + min + " and " + max);
    }
  }

  private static void between(String field, Duration value, Duration min) {
    if (value.compareTo(min) < 0 || value.compareTo(LONGEST) > 0) {
      throw rejected(field, value, "between " + min + " and " + LONGEST);
    }
  }

  private static IllegalArgumentException rejected(String field, Object value, String expected) {
    return new IllegalArgumentException(field + ": " + value + " (expected: " + expected + ")");
  }
}
