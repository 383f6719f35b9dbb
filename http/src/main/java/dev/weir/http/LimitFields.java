package dev.weir.http;

import dev.weir.Algorithm;
import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.rule.Match;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
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

  private final Set<Family> families;

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
      BiConsumer<String, String> header) {
    if (!match.claims().isEmpty() && match.blockedBy().isEmpty()) {
      if (families.contains(Family.X_RATELIMIT)) {
        xRateLimit(match, decision, nowMicros, header);
      }
      if (families.contains(Family.IETF)) {
        header.accept("RateLimit-Policy", policies(match));
        header.accept("RateLimit", standing(match, decision));
      }
    }
    if (families.contains(Family.RETRY_AFTER) && decision.retryAfter().isPresent()) {
      long seconds = retryAfterSeconds(decision) + jitterSeconds;
      header.accept("Retry-After", Long.toString(seconds));
    }
  }

  /** How long to wait, in whole seconds, at least one; 0 if waiting does not help. */
  public static long retryAfterSeconds(Decision decision) {
    return decision.retryAfter().map(wait -> Math.max(1, ceil(wait))).orElse(0L);
  }

  private static void xRateLimit(
      Match match, Decision decision, long nowMicros, BiConsumer<String, String> header) {
    Limit limit = match.claims().get(decision.decisive()).limit();
    long resetMicros = nowMicros + decision.resetAfter().toNanos() / 1_000;
    header.accept("X-RateLimit-Limit", Long.toString(limit.permits()));
    header.accept("X-RateLimit-Remaining", Long.toString(decision.remaining()));
    header.accept("X-RateLimit-Reset", Long.toString((resetMicros + 999_999) / 1_000_000));
  }

  private static String policies(Match match) {
    StructuredField field = new StructuredField();
    for (int i = 0; i < match.claims().size(); i++) {
      Limit limit = match.claims().get(i).limit();
      field.item(match.policies().get(i)).with("q", limit.permits());
      if (limit.algorithm() == Algorithm.CONCURRENCY) {
        field.with("qu", "concurrent-requests");
      } else if (limit.windowMicros() % 1_000_000 == 0) {
        // The draft knows whole seconds only; a window it cannot tell it may leave out.
        field.with("w", limit.windowMicros() / 1_000_000);
      }
    }
    return field.toString();
  }

  /** How the tightest limit stands, or each one that denied. */
  private static String standing(Match match, Decision decision) {
    StructuredField field = new StructuredField();
    List<Decision> each = decision.each();
    for (int i = 0; i < each.size(); i++) {
      Decision one = each.get(i);
      boolean told = decision.allowed() ? i == decision.decisive() : !one.allowed();
      if (told) {
        field.item(match.policies().get(i)).with("r", one.remaining());
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
