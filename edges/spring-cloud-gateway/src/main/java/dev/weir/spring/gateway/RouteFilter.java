package dev.weir.spring.gateway;

import dev.weir.spring.webflux.MarkedExchange;
import dev.weir.spring.webflux.WeirWebFilter;
import org.springframework.cloud.gateway.filter.GatewayFilter;
import org.springframework.cloud.gateway.filter.GatewayFilterChain;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/**
 * Limits the requests of one route by one rule, once, however often the route names it. If a filter
 * before it retries, each attempt is limited.
 */
final class RouteFilter implements GatewayFilter {
  private static final String CHARGED = RouteFilter.class.getName() + ".";

  private final String rule;
  private final WeirWebFilter filter;

  RouteFilter(String rule, WeirWebFilter filter) {
    this.rule = rule;
    this.filter = filter;
  }

  @Override
  public Mono<Void> filter(ServerWebExchange exchange, GatewayFilterChain chain) {
    return MarkedExchange.once(
        exchange, CHARGED + rule, () -> limit(exchange, chain), () -> chain.filter(exchange));
  }

  private Mono<Void> limit(ServerWebExchange exchange, GatewayFilterChain chain) {
    if (exchange.getResponse().isCommitted()) {
      return Mono.empty(); // the client has its answer; this is the retry of a denial
    }
    return filter.filter(exchange, chain::filter);
  }

  @Override
  public String toString() {
    return "[Weir " + rule + "]";
  }
}
