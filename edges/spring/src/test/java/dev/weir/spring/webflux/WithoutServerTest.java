package dev.weir.spring.webflux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.library.RulesLimiter;
import dev.weir.library.Weir;
import dev.weir.rules.yaml.RulesText;
import dev.weir.testkit.redis.RedisServer;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.web.server.MockServerWebExchange;
import reactor.core.publisher.Mono;

/** Tests of applications may call the filter with requests that no server has received. */
class WithoutServerTest {
  private static final RulesText RULES =
      RulesText.of("rules.yaml", "rules: [{name: one, per: ip, limit: 1/hour}]\n");

  private static MockServerWebExchange exchange() {
    return MockServerWebExchange.from(
        MockServerHttpRequest.get("/a?b=c").remoteAddress(new InetSocketAddress("192.0.2.1", 1)));
  }

  private static int status(WeirWebFilter filter) {
    MockServerWebExchange exchange = exchange();
    filter.filter(exchange, passed -> Mono.empty()).block(Duration.ofSeconds(60));
    var status = exchange.getResponse().getStatusCode();
    return status == null ? 200 : status.value();
  }

  @Test
  void embeddedCountersAnswerMockedRequests() {
    try (Weir weir = Weir.inMemory()) {
      WeirWebFilter filter = WeirWebFilter.builder(weir.rules(RULES)).build();
      assertThat(status(filter)).isEqualTo(200);
      assertThat(status(filter)).isEqualTo(429);
    }
  }

  @Test
  void observerThatFailsKeepsNoPermit() {
    RulesText busy =
        RulesText.of(
            "rules.yaml",
            "lint-ignore: needs-release\nrules: [{name: busy, concurrent: 1, expires: 1 hour}]\n");
    try (Weir weir = Weir.inMemory()) {
      RulesLimiter limiter = weir.rules(busy);
      WeirWebFilter failing =
          WeirWebFilter.builder(limiter)
              .observer(
                  (exchange, admission) -> {
                    throw new IllegalStateException("on purpose");
                  })
              .build();
      assertThatThrownBy(() -> status(failing)).hasMessage("on purpose");
      assertThat(status(WeirWebFilter.builder(limiter).build())).isEqualTo(200);
    }
  }

  @Test
  void redisAnswersMockedRequests() {
    try (RedisServer redis = RedisServer.start();
        Weir weir = Weir.redis(redis.url()).deadline(Duration.ofSeconds(30)).build()) {
      WeirWebFilter filter = WeirWebFilter.builder(weir.rules(RULES)).build();
      assertThat(status(filter)).isEqualTo(200);
      assertThat(status(filter)).isEqualTo(429);
    }
  }
}
