package dev.weir.http;

import dev.weir.Algorithm;
import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.rule.Match;
import dev.weir.rule.Policy;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;

/**
 * The header fields that tell a client where it stands, on allowed and on denied requests.
 *
 * <p>Waits are in whole seconds and rounded up, so that who waits as long as told is not told to
 * wait again.
 */
public final class LimitFields {
  /** Fields that belong together. */
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

  /** The fields there are. */
  public enum Field {
    X_RATELIMIT_LIMIT("X-RateLimit-Limit"),
    X_RATELIMIT_REMAINING("X-RateLimit-Remaining"),
    X_RATELIMIT_RESET("X-RateLimit-Reset"),
    RATELIMIT_POLICY("RateLimit-Policy"),
    RATELIMIT("RateLimit"),
    RETRY_AFTER("Retry-After");

    private final String header;

    Field(String header) {
      this.header = header;
    }

    public String header() {
      return header;
    }
  }

  /** More policies than any book should have; then the texts are made anew. */
  private static final int MAX_TEXTS = 10_000;

  private final Set<Family> families;

  /** What a policy is in {@code RateLimit-Policy}, which does not change. */
  private final Map<Policy, String> texts = new ConcurrentHashMap<>();

  public LimitFields(Set<Family> families) {
    this.families = families.isEmpty() ? EnumSet.noneOf(Family.class) : EnumSet.copyOf(families);
  }

  /** All families. */
  public static LimitFields all() {
    return new LimitFields(EnumSet.allOf(Family.class));
  }

  /**
   * Gives each field to {@code header}.
   *
   * @param nowMicros the time of the decision, since 1970
   * @param jitterSeconds added to {@code Retry-After}, so that clients do not all come back at once
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
        header.accept(Field.RATELIMIT, standing(match, decision));
      }
    }
    if (families.contains(Family.RETRY_AFTER) && decision.retryAfter().isPresent()) {
      long seconds = retryAfterSeconds(decision) + jitterSeconds;
      header.accept(Field.RETRY_AFTER, Long.toString(seconds));
    }
  }

  /** How long to wait, in whole seconds, at least one; 0 if waiting does not help. */
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
    List<Policy> policies = match.policies();
    if (policies.size() == 1) {
      return text(policies.get(0));
    }
    StringBuilder all = new StringBuilder(32 * policies.size());
    for (int i = 0; i < policies.size(); i++) {
      all.append(i == 0 ? "" : ", ").append(text(policies.get(i)));
    }
    return all.toString();
  }

  private String text(Policy policy) {
    String known = texts.get(policy);
    if (known == null) {
      known = made(policy);
      if (texts.size() >= MAX_TEXTS) {
        texts.clear(); // those of rules that are no longer in force
      }
      texts.put(policy, known);
    }
    return known;
  }

  private static String made(Policy policy) {
    Limit limit = policy.limit();
    StructuredField field = new StructuredField();
    field.item(policy.name()).with("q", limit.permits());
    if (limit.algorithm() == Algorithm.CONCURRENCY) {
      field.with("qu", "concurrent-requests");
    } else if (limit.windowMicros() % 1_000_000 == 0) {
      // The draft knows whole seconds only; a window it cannot tell it may leave out.
      field.with("w", limit.windowMicros() / 1_000_000);
    }
    return field.toString();
  }

  /** How the tightest limit stands, or each one that denied. */
  private static String standing(Match match, Decision decision) {
    StructuredField field = new StructuredField();
    List<Decision> each = decision.each();
    int decisive = decision.decisive().orElseThrow();
    for (int i = 0; i < each.size(); i++) {
      Decision one = each.get(i);
      boolean told = decision.allowed() ? i == decisive : !one.allowed();
      if (told) {
        field.item(match.policies().get(i).name()).with("r", one.remaining());
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
