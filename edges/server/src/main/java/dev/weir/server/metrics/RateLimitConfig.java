package dev.weir.server.metrics;

import dev.weir.Algorithm;
import dev.weir.Limit;
import dev.weir.rules.domain.DomainRule;
import java.time.Duration;
import java.util.Locale;
import java.util.function.Supplier;

/**
 * Lists the limits of domains, one per line, in the format of envoyproxy/ratelimit. Settings that
 * it does not have follow those it has, so that a configuration of its own looks the same.
 * Thread-safe.
 */
public final class RateLimitConfig implements Supplier<String> {
  private final ServerStatus status;

  /** Reads the domains from {@code status}. */
  public RateLimitConfig(ServerStatus status) {
    this.status = status;
  }

  /** All active limits, in the order of the configuration. */
  @Override
  public String get() {
    StringBuilder out = new StringBuilder();
    for (DomainRule rule : status.domains().get().rules()) {
      out.append(line(rule)).append('\n');
    }
    return out.toString();
  }

  private static String line(DomainRule rule) {
    StringBuilder line = new StringBuilder(MetricNames.clean(rule.path()));
    DomainRule.Rate rate = rule.rate();
    line.append(": unit=").append(rate == null ? "UNKNOWN" : rate.unit().name());
    line.append(" requests_per_unit=").append(rate == null ? 0 : rate.requestsPerUnit());
    field(line, "shadow_mode", rule.enforcement().shadow());
    field(line, "quota_mode", rule.enforcement().quota());
    if (rate != null) {
      rate.limits().forEach(limit -> extensions(line, limit, rate.unit().duration()));
      if (rate.strict()) {
        field(line, "accounting", "all_or_none");
      }
    }
    return line.toString();
  }

  private static void extensions(StringBuilder line, Limit limit, Duration unit) {
    if (limit.algorithm() != Algorithm.FIXED_WINDOW) {
      field(line, "algorithm", limit.algorithm().name().toLowerCase(Locale.ROOT));
    }
    switch (limit.algorithm()) {
      case TOKEN_BUCKET -> field(line, "burst", limit.capacity());
      case LEAKY_BUCKET -> field(line, "queue", limit.capacity() - 1);
      default -> {}
    }
    if (limit.calendar().isPresent()) {
      field(line, "window", limit.calendar().get());
    } else if (!limit.window().equals(unit)) {
      field(line, "window", format(limit.windowMicros()));
    }
  }

  private static String format(long micros) {
    return micros % 1_000_000 == 0
        ? micros / 1_000_000 + "s"
        : micros % 1_000 == 0 ? micros / 1_000 + "ms" : micros + "us";
  }

  private static void field(StringBuilder line, String name, Object value) {
    line.append(", ").append(name).append(": ").append(value);
  }
}
