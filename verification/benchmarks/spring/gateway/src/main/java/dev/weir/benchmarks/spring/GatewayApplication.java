package dev.weir.benchmarks.spring;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.cloud.gateway.filter.ratelimit.KeyResolver;
import org.springframework.context.annotation.Bean;
import reactor.core.publisher.Mono;

/** Spring Cloud Gateway with one route; its profile chooses its limiter. */
@SpringBootApplication
public class GatewayApplication {
  /** Starts it; {@code application.yaml} names the properties that it needs. */
  public static void main(String[] args) {
    SpringApplication.run(GatewayApplication.class, args);
  }

  /** Counts by API key. */
  @Bean
  KeyResolver apiKey() {
    return exchange ->
        Mono.justOrEmpty(exchange.getRequest().getHeaders().getFirst("X-API-Key"));
  }
}
