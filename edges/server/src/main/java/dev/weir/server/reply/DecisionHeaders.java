package dev.weir.server.reply;

import dev.weir.Decision;
import dev.weir.http.response.DenialBody;
import dev.weir.http.response.RateLimitHeaders;
import dev.weir.limiter.Degradation;
import dev.weir.rule.book.Match;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Writes decisions into HTTP responses. Safe for use by any number of threads. */
public final class DecisionHeaders {
  /** Header names in the form that Netty writes fastest. */
  private static final Map<RateLimitHeaders.Field, CharSequence> NAMES =
      new EnumMap<>(
          Stream.of(RateLimitHeaders.Field.values())
              .collect(
                  Collectors.toMap(
                      Function.identity(), field -> HttpHeaders.createOptimized(field.header()))));

  private static final CharSequence DELAY = HttpHeaders.createOptimized("Weir-Delay-Ms");

  private final RateLimitHeaders fields;
  private final int jitterPercent;
  private final DegradedCounters degraded;
  private final LongSupplier nowMicros;

  /**
   * Headers for one port.
   *
   * @param jitterPercent the maximum random increase of {@code Retry-After}
   * @param degraded counts requests that are decided without the store
   * @param nowMicros the clock for header values
   */
  public DecisionHeaders(
      RateLimitHeaders fields,
      int jitterPercent,
      DegradedCounters degraded,
      LongSupplier nowMicros) {
    this.fields = fields;
    this.jitterPercent = jitterPercent;
    this.degraded = degraded;
    this.nowMicros = nowMicros;
  }

  /** Writes the headers of a decision, and counts it if it was made without the store. */
  public void write(HttpServerResponse response, Match match, Decision decision) {
    long jitter = decision.allowed() ? 0 : jitterSeconds(decision);
    fields.write(
        match,
        decision,
        nowMicros.getAsLong(),
        jitter,
        (field, value) -> response.putHeader(NAMES.get(field), (CharSequence) value));
    Degradation.failureMode(decision)
        .ifPresent(
            mode -> {
              degraded.add(mode);
              DegradedDecision.mark(response, mode);
            });
    long millis = decision.allowed() ? decision.delay().toMillis() : 0;
    if (millis > 0) {
      response.putHeader(DELAY, (CharSequence) Long.toString(millis));
    }
  }

  /**
   * Sends the body of a denial.
   *
   * @param plain whether to send the short form instead of a problem document
   */
  public static void deny(
      HttpServerResponse response, Match match, Decision decision, int status, boolean plain) {
    response.setStatusCode(status).putHeader("Cache-Control", "no-store");
    response.putHeader("Content-Type", plain ? "application/json" : DenialBody.PROBLEM_TYPE);
    var unused =
        response.end(
            plain
                ? DenialBody.plain(match, decision)
                : DenialBody.problem(match, decision, status));
  }

  private long jitterSeconds(Decision decision) {
    long seconds = decision.retryAfter().map(java.time.Duration::toSeconds).orElse(0L);
    long max = seconds * jitterPercent / 100;
    return max == 0 ? 0 : ThreadLocalRandom.current().nextLong(max + 1);
  }
}
