package dev.weir.spring.method;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.NewerJdk;
import dev.weir.testkit.VirtualThreads;
import dev.weir.testkit.redis.RedisServer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.context.ConfigurableApplicationContext;

/** Limited methods on virtual threads, on a JDK that has them. */
@Timeout(300)
class MethodVirtualThreadsTest {
  /** Is busy. */
  static class Busy {
    @ConcurrencyLimited(name = "busy", key = "#key")
    @RateLimited(name = "often", key = "#key", maxWait = "1m")
    boolean hold(String key, VirtualThreads.Meeting inside) throws InterruptedException {
      return inside.await();
    }
  }

  /** Calls a limited method of an application on one Redis 10,000 times at once. */
  static final class Program {
    private Program() {}

    public static void main(String[] args) throws Exception {
      List<String> properties =
          List.of(
              "weir.store.url=" + args[0],
              "weir.store.deadline=60s",
              "calls.busy.concurrent=10000",
              "calls.busy.expires=1h",
              "calls.often.limit=10000/hour");
      try (ConfigurableApplicationContext context = Contexts.start(properties, Busy.class)) {
        Busy limiter = context.getBean(Busy.class);
        System.out.println(VirtualThreads.run(10_000, inside -> limiter.hold("all", inside)));
      }
    }
  }

  @Test
  void tenThousandVirtualThreadsCallLimitedMethodsWithoutPinning() throws Exception {
    try (RedisServer redis = RedisServer.start()) {
      assertThat(NewerJdk.run(21, Program.class, redis.url())).contains("allowed 10000, pinned 0");
    }
  }
}
