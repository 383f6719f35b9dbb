package dev.weir.spring.gateway;

import dev.weir.Limit;
import dev.weir.library.RateLimitDecision;
import dev.weir.library.Weir;
import dev.weir.spring.WeirStartupException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.cloud.gateway.event.FilterArgsEvent;
import org.springframework.cloud.gateway.filter.ratelimit.AbstractRateLimiter;
import org.springframework.cloud.gateway.route.RouteDefinitionRouteLocator;
import org.springframework.cloud.gateway.support.ConfigurationService;
import reactor.core.publisher.Mono;

/**
 * The limiter of the filter {@code RequestRateLimiter}, with the arguments that the gateway's own
 * limiter has: {@code redis-rate-limiter.replenishRate}, {@code .burstCapacity} and {@code
 * .requestedTokens}. Counts where Weir counts. Thread-safe.
 */
public final class WeirRateLimiter extends AbstractRateLimiter<RateLimiterSettings> {
  static final String ARGUMENTS = "redis-rate-limiter";

  private final Weir weir;

  /** A limiter on the counters of a Weir. */
  public WeirRateLimiter(Weir weir, ConfigurationService configuration) {
    super(RateLimiterSettings.class, ARGUMENTS, configuration);
    this.weir = weir;
  }

  /**
   * Receives the arguments of a filter, when routes are loaded.
   *
   * @throws WeirStartupException if they lack the rate
   */
  @Override
  public void onApplicationEvent(FilterArgsEvent event) {
    super.onApplicationEvent(event);
    RateLimiterSettings settings = getConfig().get(event.getRouteId());
    if (settings != null && settings.getReplenishRate() < 1) {
      throw new WeirStartupException(
          "route "
              + event.getRouteId()
              + ": redis-rate-limiter.replenishRate: none (expected: at least 1)",
          "Add redis-rate-limiter.replenishRate to the arguments of RequestRateLimiter.");
    }
  }

  @Override
  public Mono<Response> isAllowed(String routeId, String id) {
    RateLimiterSettings settings = settings(routeId);
    if (settings.getBurstCapacity() < Math.max(1, settings.getRequestedTokens())) {
      return Mono.just(new Response(false, headers(settings, 0))); // more than there can ever be
    }
    Limit limit =
        Limit.tokenBucket(
            settings.getReplenishRate(), Duration.ofSeconds(1), settings.getBurstCapacity());
    return RequestLoop.continuing(
            () ->
                weir.limiter(name(routeId, settings), limit)
                    .cost(settings.getRequestedTokens())
                    .tryAcquireAsync(id))
        .map(decision -> response(settings, decision));
  }

  private RateLimiterSettings settings(String routeId) {
    Map<String, RateLimiterSettings> known = getConfig();
    RateLimiterSettings settings = known.get(routeId);
    if (settings == null) {
      settings = known.get(RouteDefinitionRouteLocator.DEFAULT_FILTERS);
    }
    if (settings == null) {
      throw new IllegalArgumentException(
          "route "
              + routeId
              + ": no limit (expected: redis-rate-limiter.replenishRate and"
              + " redis-rate-limiter.burstCapacity among the arguments of RequestRateLimiter)");
    }
    return settings;
  }

  /** Routes with other limits have other counters, also if a route changes. */
  private static String name(String routeId, RateLimiterSettings settings) {
    StringBuilder name = new StringBuilder("route.");
    for (int i = 0; i < routeId.length(); i++) {
      char c = routeId.charAt(i);
      boolean plain = c < 128 && (Character.isLetterOrDigit(c) || c == '-');
      name.append(plain ? String.valueOf(c) : "_" + HexFormat.of().toHexDigits(c));
    }
    return name.append('.')
        .append(settings.getReplenishRate())
        .append('.')
        .append(settings.getBurstCapacity())
        .toString();
  }

  private static Response response(RateLimiterSettings settings, RateLimitDecision decision) {
    Map<String, String> headers = headers(settings, decision.remaining());
    if (!decision.allowed()) {
      decision
          .retryAfter()
          .ifPresent(wait -> headers.put("Retry-After", Long.toString(seconds(wait))));
    }
    return new Response(decision.allowed(), headers);
  }

  private static long seconds(Duration wait) {
    return wait.plusNanos(999_999_999).toSeconds();
  }

  private static Map<String, String> headers(RateLimiterSettings settings, long remaining) {
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put("X-RateLimit-Remaining", Long.toString(remaining));
    headers.put("X-RateLimit-Replenish-Rate", Integer.toString(settings.getReplenishRate()));
    headers.put("X-RateLimit-Burst-Capacity", Long.toString(settings.getBurstCapacity()));
    headers.put("X-RateLimit-Requested-Tokens", Integer.toString(settings.getRequestedTokens()));
    return headers;
  }
}
