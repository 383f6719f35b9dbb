package dev.weir.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.spring.Apps.Running;
import dev.weir.testkit.redis.RedisServer;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.WebApplicationType;

/** Instances of an application on one Redis enforce one limit, to the request. */
@Timeout(180)
class TwoInstancesTest {
  private static final int LIMIT = 50;
  private static final int REQUESTS = 160;

  private final Http http = new Http();

  @ParameterizedTest
  @EnumSource(names = {"REACTIVE", "SERVLET"})
  void enforceOneLimitOnConcurrentRequests(WebApplicationType type) throws Exception {
    try (RedisServer redis = RedisServer.start()) {
      Map<String, String> properties = new HashMap<>();
      properties.put("weir.limits.all.per", "ip");
      properties.put("weir.limits.all.limit", LIMIT + "/hour");
      properties.put("weir.limits.all.algorithm", "fixed-window");
      properties.put("weir.limits.all.when-store-fails", "deny");
      properties.put("weir.store.url", redis.url());
      properties.put("weir.store.deadline", "30s");
      try (Running one = Apps.start(type, properties);
          Running two = Apps.start(type, properties)) {
        List<CompletableFuture<HttpResponse<String>>> responses = new ArrayList<>();
        for (int i = 0; i < REQUESTS; i++) {
          responses.add(http.getAsync(i % 2 == 0 ? one : two, "/hello"));
        }
        Map<Integer, Integer> statuses = new HashMap<>();
        for (CompletableFuture<HttpResponse<String>> response : responses) {
          statuses.merge(response.get().statusCode(), 1, Integer::sum);
        }
        assertThat(statuses).isEqualTo(Map.of(200, LIMIT, 429, REQUESTS - LIMIT));
      }
    }
  }
}
