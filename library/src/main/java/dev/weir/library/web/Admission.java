package dev.weir.library.web;

import dev.weir.Decision;
import dev.weir.Operation;
import dev.weir.StoreFailure;
import dev.weir.StoreFailure.Effect;
import dev.weir.http.response.DenialBody;
import dev.weir.limiter.Degradation;
import dev.weir.rule.FailureMode;
import dev.weir.rule.Rule;
import dev.weir.rule.book.Charge;
import dev.weir.rule.book.Match;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The decision about one HTTP request, and the permits that the request holds while it runs.
 *
 * <p>Close it when the request is over, in whatever way it ended: this releases its concurrency
 * permits. Safe for use by any number of threads.
 */
public final class Admission implements AutoCloseable {
  private static final int UNAVAILABLE = 503;
  private static final String DEGRADED = "Weir-Degraded";
  private static final String RETRY_AFTER = "Retry-After";
  private static final String RETRY_SECONDS = "1";

  private final Match match;
  private final @Nullable Decision decision;
  private final Effect effect;
  private final @Nullable HeldPermits permits;
  private final HeldPermits.@Nullable Hold hold;
  private final AtomicBoolean over = new AtomicBoolean();

  private Admission(
      Match match, @Nullable Decision decision, Effect effect, @Nullable HeldPermits permits) {
    this.match = match;
    this.decision = decision;
    this.effect = effect;
    this.permits = permits;
    this.hold = permits == null ? null : permits.hold(match, this);
  }

  /** A decision of the limiter; what it granted is held until it is closed. */
  public static Admission of(Match match, Decision decision, HeldPermits permits) {
    return new Admission(match, decision, Effect.NONE, decision.allowed() ? permits : null);
  }

  /** The store did not answer, and a rule denies then. */
  public static Admission unavailable(Match match, StoreFailure failure) {
    return new Admission(match, null, failure.effect(), null);
  }

  /** Whether the request may pass. */
  public boolean allowed() {
    return decision != null && decision.allowed();
  }

  /** The decision; empty if the store did not answer and a rule denies then. */
  public Optional<Decision> decision() {
    return Optional.ofNullable(decision);
  }

  /** The rule that decided; empty if no rule applied. */
  public Optional<Rule> rule() {
    return decision == null
        ? match.charges().stream()
            .filter(Admission::isDeniedWithoutStore)
            .findFirst()
            .map(Charge::rule)
        : match.decisiveRule(decision);
  }

  private static boolean isDeniedWithoutStore(Charge charge) {
    FailureMode configured = charge.failureMode();
    return Degradation.mode(Operation.TAKE, charge.claim(), configured) == FailureMode.DENY;
  }

  /** Whether a rule applied to the request. */
  public boolean limited() {
    return !match.claims().isEmpty() || match.blockedBy().isPresent();
  }

  /** Whether there is something to release when the request is over. */
  public boolean holdsPermits() {
    return hold != null;
  }

  /** When a denied request may pass; empty if it may pass now, or if waiting does not help. */
  public Optional<Duration> retryAfter() {
    return decision == null ? Optional.of(Duration.ofSeconds(1)) : decision.retryAfter();
  }

  /** How long to hold the request before it goes on; zero unless a leaky bucket shapes it. */
  public Duration delay() {
    return decision == null || !decision.allowed() ? Duration.ZERO : decision.delay();
  }

  /** The failure mode that decided, if the store did not answer. */
  public Optional<FailureMode> degraded() {
    return decision == null ? Optional.of(FailureMode.DENY) : Degradation.failureMode(decision);
  }

  /** The status of a denial: 429 or another one of the style, 403 if blocked, 503 if undecided. */
  public int status(ResponseStyle style) {
    if (decision == null) {
      return UNAVAILABLE;
    }
    int status = DenialBody.status(match);
    return status == Rule.TOO_MANY_REQUESTS ? style.status().orElse(status) : status;
  }

  /** Passes each header of the response, allowed or denied, to {@code header}. */
  public void writeHeaders(ResponseStyle style, BiConsumer<String, String> header) {
    if (decision == null) {
      header.accept(RETRY_AFTER, RETRY_SECONDS);
    } else {
      style
          .headers()
          .write(
              match,
              decision,
              style.nowMicros(),
              0,
              (field, value) -> header.accept(field.header(), value));
    }
    degraded().ifPresent(mode -> header.accept(DEGRADED, mode.name().toLowerCase(Locale.ROOT)));
    if (!allowed()) {
      header.accept("Cache-Control", "no-store");
    }
  }

  /** The body of a denial, of the media type of the style's body; empty if it has none. */
  public String body(ResponseStyle style) {
    int status = status(style);
    return switch (style.body()) {
      case NONE -> "";
      case PLAIN ->
          decision == null ? DenialBody.plainUnavailable() : DenialBody.plain(match, decision);
      case PROBLEM ->
          decision == null
              ? DenialBody.unavailable(status, effect)
              : DenialBody.problem(match, decision, status);
    };
  }

  /**
   * Gives back all that was taken, for a request that never ran. The first of this and {@link
   * #close} wins.
   */
  public void giveBack() {
    if (over.compareAndSet(false, true) && permits != null && decision != null) {
      if (hold != null) {
        hold.forget();
      }
      permits.giveBack(match, decision);
    }
  }

  /**
   * Releases the concurrency permits also once {@code ended} is true, for containers that may drop
   * a request without a word. A timer asks several times a second; it must not be blocked.
   */
  public void closeWhen(BooleanSupplier ended) {
    if (hold != null) {
      hold.releaseWhen(ended);
    }
  }

  /** Releases the concurrency permits; a second time, nothing happens. */
  @Override
  public void close() {
    if (over.compareAndSet(false, true) && hold != null) {
      hold.release();
    }
  }

  @Override
  public String toString() {
    return (allowed() ? "allowed" : "denied") + rule().map(rule -> " by " + rule.name()).orElse("");
  }
}
