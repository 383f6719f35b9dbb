package dev.weir.spring.gateway;

import java.util.Map;
import org.springframework.cloud.gateway.filter.ratelimit.AbstractRateLimiter;
import org.springframework.cloud.gateway.support.ConfigurationService;
import reactor.core.publisher.Mono;

/** The limiter of the filter {@code RequestRateLimiter}, which lets every request pass. */
final class DisabledRateLimiter extends AbstractRateLimiter<RateLimiterSettings> {
  DisabledRateLimiter(ConfigurationService configuration) {
    super(RateLimiterSettings.class, WeirRateLimiter.ARGUMENTS, configuration);
  }

  @Override
  public Mono<Response> isAllowed(String routeId, String id) {
    return Mono.just(new Response(true, Map.of()));
  }
}
