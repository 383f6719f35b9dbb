package dev.weir.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.spring.Apps.Running;
import dev.weir.spring.method.RateLimited;
import dev.weir.testkit.Effort;
import dev.weir.testkit.redis.RedisServer;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.WebApplicationType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;

/**
 * A connection to a WebFlux application goes on after a response that another thread than its event
 * loop has written. With Reactor Netty 1.3.7 it does not always: see
 * https://github.com/reactor/reactor-netty/issues/4361.
 */
@Timeout(180)
class KeptConnectionTest {
  /** Answers when the test says so. */
  @RestController
  static class Later {
    final CompletableFuture<MonoSink<String>> asked = new CompletableFuture<>();

    @GetMapping("/later")
    Mono<String> later() {
      return Mono.create(asked::complete);
    }
  }

  /** Answers when Redis has. */
  @RestController
  static class Limited {
    @GetMapping("/limited")
    @RateLimited(name = "limited", key = "'all'")
    public Mono<String> limited() {
      return Mono.just("limited");
    }
  }

  /** The second request waits in the server for the response to the first. */
  @Test
  void requestsAfterOnesThatCameTogetherAreAnswered() throws Exception {
    Map<String, String> properties = Map.of("weir.limits.all.limit", "100/hour");
    try (Running app = Apps.start(WebApplicationType.REACTIVE, properties, Later.class);
        RawHttp connection = new RawHttp(app.port())) {
      Later later = app.context().getBean(Later.class);
      connection.send("GET /later", "GET /hello");
      later.asked.get(60, TimeUnit.SECONDS).success("later");
      assertThat(connection.response()).endsWith("\r\n\r\nlater");
      assertThat(connection.response()).endsWith("\r\n\r\nhello");
      connection.send("GET /hello");
      assertThat(connection.response()).as("the third").endsWith("\r\n\r\nhello");
    }
  }

  /** The next request may come before the server has done with the one that it has answered. */
  @Test
  void requestsAfterLimitedMethodsAreAnswered() throws Exception {
    try (RedisServer redis = RedisServer.start()) {
      Map<String, String> properties = new HashMap<>();
      properties.put("weir.calls.limited.limit", "1000000/hour");
      properties.put("weir.store.url", redis.url());
      properties.put("weir.store.deadline", "30s");
      try (Running app = Apps.start(WebApplicationType.REACTIVE, properties, Limited.class);
          RawHttp connection = new RawHttp(app.port())) {
        for (int i = 0; i < Effort.of(500, 20_000); i++) {
          for (String path : new String[] {"/limited", "/hello", "/hello"}) {
            connection.send("GET " + path);
            assertThat(connection.response()).endsWith("\r\n\r\n" + path.substring(1));
          }
        }
      }
    }
  }
}
