package dev.weir.server.stats;

import dev.weir.Algorithm;
import dev.weir.Limit;
import dev.weir.domain.DomainRule;
import java.time.Duration;
import java.util.Locale;
import java.util.function.Supplier;

/**
 * The limits of domains, a line for each, as envoyproxy/ratelimit lists them. What it cannot say
 * comes after what it can, so that a file of its own looks the same here.
 */
public final class RateLimitConfig implements Supplier<String> {
  private final Surroundings around;

  public RateLimitConfig(Surroundings around) {
    this.around = around;
  }

  /** All in force, in the order of the configuration. */
  @Override
  public String get() {
    StringBuilder out = new StringBuilder();
    for (DomainRule rule : around.domains().get().rules()) {
      out.append(line(rule)).append('\n');
    }
    return out.toString();
  }

  private static String line(DomainRule rule) {
    StringBuilder line = new StringBuilder(Words.clean(rule.path()));
    DomainRule.Rate rate = rule.rate();
    line.append(": unit=").append(rate == null ? "UNKNOWN" : rate.unit().name());
    line.append(" requests_per_unit=").append(rate == null ? 0 : rate.requestsPerUnit());
    field(line, "shadow_mode", rule.shadow());
    field(line, "quota_mode", rule.quota());
    if (rate != null) {
      rate.limits().forEach(limit -> beyond(line, limit, rate.unit().duration()));
      if (rate.strict()) {
        field(line, "accounting", "all_or_none");
      }
    }
    return line.toString();
  }

  private static void beyond(StringBuilder line, Limit limit, Duration unit) {
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
      field(line, "window", inWords(limit.windowMicros()));
    }
  }

  private static String inWords(long micros) {
    return micros % 1_000_000 == 0
        ? micros / 1_000_000 + "s"
        : micros % 1_000 == 0 ? micros / 1_000 + "ms" : micros + "us";
  }

  private static void field(StringBuilder line, String name, Object value) {
    line.append(", ").append(name).append(": ").append(value);
  }
}
