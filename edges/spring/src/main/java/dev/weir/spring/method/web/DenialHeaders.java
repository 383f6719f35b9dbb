package dev.weir.spring.method.web;

import dev.weir.Algorithm;
import dev.weir.Limit;
import dev.weir.http.response.RateLimitHeaders.Family;
import dev.weir.http.response.RateLimitHeaders.Field;
import dev.weir.library.Denial;
import dev.weir.spring.method.RateLimitedException;
import java.time.Duration;
import java.util.Set;
import java.util.function.BiConsumer;

/**
 * The rate limit headers of a denied call, as far as a denial knows them: not {@code
 * X-RateLimit-Reset}. Immutable.
 */
record DenialHeaders(Set<Family> families) {
  private static final long UNAVAILABLE_SECONDS = 1;

  void write(RateLimitedException denied, BiConsumer<String, String> header) {
    Denial denial = denied.denial();
    boolean unavailable = denial.reason() == Denial.Reason.STORE_UNAVAILABLE;
    header.accept("Cache-Control", "no-store");
    if (unavailable) {
      header.accept("Weir-Degraded", "deny");
    }
    long seconds =
        unavailable ? UNAVAILABLE_SECONDS : denied.retryAfter().map(DenialHeaders::ceil).orElse(0L);
    if (families.contains(Family.RETRY_AFTER) && seconds > 0) {
      header.accept(Field.RETRY_AFTER.header(), Long.toString(seconds));
    }
    denial.limit().ifPresent(limit -> write(denied, limit, seconds, header));
  }

  private void write(
      RateLimitedException denied, Limit limit, long seconds, BiConsumer<String, String> header) {
    String permits = Long.toString(limit.permits());
    String remaining = Long.toString(denied.remaining());
    if (families.contains(Family.X_RATELIMIT)) {
      header.accept(Field.X_RATELIMIT_LIMIT.header(), permits);
      header.accept(Field.X_RATELIMIT_REMAINING.header(), remaining);
    }
    if (families.contains(Family.IETF)) {
      // Names of calls need no escaping.
      String name = '"' + denied.denial().name() + '"';
      header.accept(Field.RATELIMIT_POLICY.header(), name + ";q=" + permits + unit(limit));
      header.accept(
          Field.RATELIMIT.header(),
          name + ";r=" + remaining + (seconds > 0 ? ";t=" + seconds : ""));
    }
  }

  private static String unit(Limit limit) {
    if (limit.algorithm() == Algorithm.CONCURRENCY) {
      return ";qu=\"concurrent-requests\"";
    }
    return limit.windowMicros() % 1_000_000 == 0 ? ";w=" + limit.windowMicros() / 1_000_000 : "";
  }

  /** In whole seconds, so that a client that waits so long does not have to wait again. */
  static long ceil(Duration wait) {
    return Math.max(1, wait.getSeconds() + (wait.getNano() > 0 ? 1 : 0));
  }
}
