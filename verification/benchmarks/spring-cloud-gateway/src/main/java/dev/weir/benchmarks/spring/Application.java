package dev.weir.benchmarks.spring;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.cloud.gateway.filter.ratelimit.KeyResolver;
import org.springframework.context.annotation.Bean;
import reactor.core.publisher.Mono;

/** Spring Cloud Gateway with its RequestRateLimiter: one route, one token bucket per API key. */
@SpringBootApplication
public class Application {
  /** Starts it; {@code application.yaml} names the properties that it needs. */
  public static void main(String[] args) {
    SpringApplication.run(Application.class, args);
  }

  /** Counts by API key. */
  @Bean
  KeyResolver apiKey() {
    return exchange ->
        Mono.justOrEmpty(exchange.getRequest().getHeaders().getFirst("X-API-Key"));
  }
}
