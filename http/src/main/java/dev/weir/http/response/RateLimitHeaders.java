package dev.weir.http.response;

import dev.weir.Algorithm;
import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.rule.Policy;
import dev.weir.rule.book.Charge;
import dev.weir.rule.book.Match;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;

/**
 * Writes the rate limit headers of allowed and denied requests. Thread-safe.
 *
 * <p>Waits are in whole seconds and rounded up, so that a client that waits that long does not have
 * to wait again.
 */
public final class RateLimitHeaders {
  /** A family of headers that are enabled together. */
  public enum Family {
    /** {@code X-RateLimit-Limit}, {@code -Remaining} and {@code -Reset}, in Unix seconds. */
    X_RATELIMIT,
    /**
     * {@code RateLimit-Policy} and {@code RateLimit} of the IETF draft, in its versions 08 to 11.
     */
    IETF,
    /** {@code Retry-After}, on denied requests. */
    RETRY_AFTER
  }

  /** A header that can be written. */
  public enum Field {
    /** The permits of the decisive limit. */
    X_RATELIMIT_LIMIT("X-RateLimit-Limit"),
    /** The permits that the decisive limit has left. */
    X_RATELIMIT_REMAINING("X-RateLimit-Remaining"),
    /** When the decisive limit is full again, in Unix seconds. */
    X_RATELIMIT_RESET("X-RateLimit-Reset"),
    /** The policies that apply to the request. */
    RATELIMIT_POLICY("RateLimit-Policy"),
    /** The state of the decisive policy, or of each one that denied. */
    RATELIMIT("RateLimit"),
    /** The wait before a retry, in seconds. */
    RETRY_AFTER("Retry-After");

    private final String header;

    Field(String header) {
      this.header = header;
    }

    /** The name of the header. */
    public String header() {
      return header;
    }
  }

  /** Beyond this number of policies the cache is cleared; no rule book should have as many. */
  private static final int MAX_CACHED = 10_000;

  private final Set<Family> families;

  /** The item of each policy in {@code RateLimit-Policy}, which does not change. */
  private final Map<Policy, String> policyItems = new ConcurrentHashMap<>();

  /** Writes only the headers of these families. */
  public RateLimitHeaders(Set<Family> families) {
    this.families = families.isEmpty() ? EnumSet.noneOf(Family.class) : EnumSet.copyOf(families);
  }

  /** Writes the headers of all families. */
  public static RateLimitHeaders all() {
    return new RateLimitHeaders(EnumSet.allOf(Family.class));
  }

  /**
   * Passes each header and its value to {@code header}.
   *
   * @param nowMicros the time of the decision, in microseconds since 1970
   * @param jitterSeconds added to {@code Retry-After}, so that clients do not all retry at once
   */
  public void write(
      Match match,
      Decision decision,
      long nowMicros,
      long jitterSeconds,
      BiConsumer<Field, String> header) {
    if (!match.claims().isEmpty() && match.blockedBy().isEmpty()) {
      if (families.contains(Family.X_RATELIMIT)) {
        xRateLimit(match, decision, nowMicros, header);
      }
      if (families.contains(Family.IETF)) {
        header.accept(Field.RATELIMIT_POLICY, policies(match));
        header.accept(Field.RATELIMIT, state(match, decision));
      }
    }
    if (families.contains(Family.RETRY_AFTER) && decision.retryAfter().isPresent()) {
      long seconds = retryAfterSeconds(decision) + jitterSeconds;
      header.accept(Field.RETRY_AFTER, Long.toString(seconds));
    }
  }

  /** The wait in whole seconds, at least one; 0 if waiting does not help. */
  public static long retryAfterSeconds(Decision decision) {
    return decision.retryAfter().map(wait -> Math.max(1, ceil(wait))).orElse(0L);
  }

  private static void xRateLimit(
      Match match, Decision decision, long nowMicros, BiConsumer<Field, String> header) {
    Limit limit = match.claims().get(decision.decisive().orElseThrow()).limit();
    long resetMicros = nowMicros + decision.resetAfter().toNanos() / 1_000;
    header.accept(Field.X_RATELIMIT_LIMIT, Long.toString(limit.permits()));
    header.accept(Field.X_RATELIMIT_REMAINING, Long.toString(decision.remaining()));
    header.accept(Field.X_RATELIMIT_RESET, Long.toString((resetMicros + 999_999) / 1_000_000));
  }

  private String policies(Match match) {
    List<Charge> charges = match.charges();
    if (charges.size() == 1) {
      return policyItem(charges.get(0).policy());
    }
    StringBuilder all = new StringBuilder(32 * charges.size());
    for (int i = 0; i < charges.size(); i++) {
      all.append(i == 0 ? "" : ", ").append(policyItem(charges.get(i).policy()));
    }
    return all.toString();
  }

  private String policyItem(Policy policy) {
    String item = policyItems.get(policy);
    if (item == null) {
      item = format(policy);
      if (policyItems.size() >= MAX_CACHED) {
        policyItems.clear(); // most are of rules that are no longer active
      }
      policyItems.put(policy, item);
    }
    return item;
  }

  private static String format(Policy policy) {
    Limit limit = policy.limit();
    StructuredField field = new StructuredField();
    field.item(policy.name()).with("q", limit.permits());
    if (limit.algorithm() == Algorithm.CONCURRENCY) {
      field.with("qu", "concurrent-requests");
    } else if (limit.windowMicros() % 1_000_000 == 0) {
      // The draft has whole seconds only; a header may omit a window that it cannot express.
      field.with("w", limit.windowMicros() / 1_000_000);
    }
    return field.toString();
  }

  /** The state of the decisive limit, or of each one that denied. */
  private static String state(Match match, Decision decision) {
    StructuredField field = new StructuredField();
    List<Decision> each = decision.each();
    int decisive = decision.decisive().orElseThrow();
    for (int i = 0; i < each.size(); i++) {
      Decision one = each.get(i);
      boolean listed = decision.allowed() ? i == decisive : !one.allowed();
      if (listed) {
        field.item(match.charges().get(i).policy().name()).with("r", one.remaining());
        if (one.allowed()) {
          field.with("t", ceil(one.resetAfter()));
        } else if (one.retryAfter().isPresent()) {
          field.with("t", retryAfterSeconds(one));
        }
      }
    }
    return field.toString();
  }

  private static long ceil(Duration duration) {
    return duration.getSeconds() + (duration.getNano() > 0 ? 1 : 0);
  }
}
