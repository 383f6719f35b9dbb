package dev.weir.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.library.RulesLimiter;
import dev.weir.library.WebRequest;
import dev.weir.library.Weir;
import dev.weir.library.web.Admission;
import dev.weir.rules.yaml.RulesText;
import dev.weir.testkit.NewerJdk;
import dev.weir.testkit.VirtualThreads;
import dev.weir.testkit.redis.RedisServer;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Requests on virtual threads, on a JDK that has them. */
@Timeout(300)
class VirtualThreadsTest {
  /** Admits 10,000 requests by one Redis, which hold their permits all at once. */
  static final class Program {
    private Program() {}

    public static void main(String[] args) throws Exception {
      RulesText rules =
          RulesText.of(
              "rules.yaml",
              "lint-ignore: needs-release\n"
                  + "rules: [{name: busy, concurrent: 10000, expires: 1 hour}]");
      try (Weir weir = Weir.redis(args[0]).deadline(Duration.ofSeconds(60)).build()) {
        RulesLimiter limiter = weir.rules(rules);
        System.out.println(VirtualThreads.run(10_000, inside -> hold(limiter, inside)));
      }
    }

    private static boolean hold(RulesLimiter limiter, VirtualThreads.Meeting inside)
        throws Exception {
      try (Admission admission = limiter.admit(WebRequest.of("GET", "/"))) {
        return inside.await() && admission.allowed();
      }
    }
  }

  @Test
  void tenThousandVirtualThreadsAreAdmittedWithoutPinning() throws Exception {
    try (RedisServer redis = RedisServer.start()) {
      assertThat(NewerJdk.run(21, Program.class, redis.url())).contains("allowed 10000, pinned 0");
    }
  }
}
