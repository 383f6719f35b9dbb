package dev.weir.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.library.RulesLimiter;
import dev.weir.library.WebRequest;
import dev.weir.library.web.Admission;
import dev.weir.spring.Apps.Running;
import dev.weir.testkit.redis.Await;
import dev.weir.testkit.redis.RedisServer;
import java.net.Socket;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.WebApplicationType;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.web.server.WebFilter;

/** A client that leaves before Redis has granted its request costs nothing. */
@Timeout(180)
class CancelledRequestTest {
  private static final WebRequest PROBE = WebRequest.of("GET", "/probe");

  /** Sees requests before Weir does. */
  @Configuration
  static class Watch {
    final CountDownLatch waiting = new CountDownLatch(2);
    final CountDownLatch cancelled = new CountDownLatch(2);

    @Bean
    @Order(Ordered.HIGHEST_PRECEDENCE)
    WebFilter watch() {
      return (exchange, chain) ->
          chain
              .filter(exchange)
              .doOnSubscribe(subscription -> waiting.countDown())
              .doOnCancel(cancelled::countDown);
    }
  }

  @Test
  void grantThatArrivesAfterTheCancelIsGivenBackOnce() throws Exception {
    try (RedisServer redis = RedisServer.start()) {
      Map<String, String> properties = new HashMap<>();
      properties.put("weir.limits.busy.concurrent", "2");
      properties.put("weir.limits.busy.expires", "1 hour");
      properties.put("weir.limits.busy.when-store-fails", "deny");
      properties.put("weir.limits.count.limit", "1000/hour");
      properties.put("weir.limits.count.algorithm", "fixed-window");
      properties.put("weir.store.url", redis.url());
      properties.put("weir.store.deadline", "60s");
      try (Running app = Apps.start(WebApplicationType.REACTIVE, properties, Watch.class)) {
        Watch watch = app.context().getBean(Watch.class);
        redis.pause();
        Socket one = PermitsTest.send(app, "/hello");
        Socket two = PermitsTest.send(app, "/hello");
        assertThat(watch.waiting.await(60, TimeUnit.SECONDS)).isTrue();
        one.close();
        two.close();
        assertThat(watch.cancelled.await(60, TimeUnit.SECONDS)).isTrue();
        redis.resume();
        RulesLimiter limiter = app.context().getBean(RulesLimiter.class);
        Await.until("given back", Duration.ofSeconds(60), () -> isAsIfNeverUsed(limiter));
      }
    }
  }

  /** Both permits are free, and nothing is charged. */
  private static boolean isAsIfNeverUsed(RulesLimiter limiter) {
    Admission one = limiter.admit(PROBE);
    Admission two = limiter.admit(PROBE);
    boolean unused = two.allowed() && two.decision().orElseThrow().each().get(1).remaining() == 998;
    one.giveBack();
    two.giveBack();
    return unused;
  }
}
