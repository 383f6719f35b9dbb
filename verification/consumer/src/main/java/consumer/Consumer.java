package consumer;

import dev.weir.Limit;
import dev.weir.library.Permit;
import dev.weir.library.RateLimiter;
import dev.weir.library.RulesLimiter;
import dev.weir.library.WebRequest;
import dev.weir.library.Weir;
import dev.weir.testkit.redis.RedisServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** What somebody writes who has read the page for Java developers. Fails with an exception. */
public final class Consumer {
  private Consumer() {}

  public static void main(String[] args) throws Exception {
    byKeyInThreeStatements();
    try (RedisServer redis = RedisServer.start()) {
      byRulesOnRedisInFive("redis://127.0.0.1:" + redis.port() + "?deadline=5s");
    }
    permitInTryWithResources();
    System.out.println("consumer: 3 passed, 0 failed");
  }

  private static void byKeyInThreeStatements() {
    Weir weir = Weir.inMemory();
    RateLimiter api = weir.limiter("api", Limit.fixedWindow(1, Duration.ofHours(1)));
    boolean first = api.tryAcquire("acme").allowed();
    check(first && !api.tryAcquire("acme").allowed(), "limits by key");
    weir.close();
  }

  private static void byRulesOnRedisInFive(String url) throws Exception {
    Path file = Files.createTempFile("rules", ".yaml");
    Files.writeString(
        file, "rules:\n  - {name: login, match: {path: /login}, per: ip, limit: 1/hour}\n");
    Weir weir = Weir.redis(url).build();
    RulesLimiter rules = weir.rules(file);
    WebRequest login = WebRequest.of("POST", "/login").from("192.0.2.1");
    boolean first = rules.check(login).allowed();
    boolean second = rules.check(login).allowed();
    check(first && !second, "limits by a rules file on Redis");
    weir.close();
    Files.delete(file);
  }

  private static void permitInTryWithResources() throws InterruptedException {
    try (Weir weir = Weir.inMemory()) {
      var exports = weir.concurrency("exports", 1, Duration.ofMinutes(1));
      try (Permit permit = exports.enter("acme", Duration.ofSeconds(1))) {
        check(exports.tryEnter("acme").isEmpty(), "holds " + permit.key());
      }
      check(exports.tryEnter("acme").isPresent(), "releases the permit");
    }
  }

  private static void check(boolean holds, String what) {
    if (!holds) {
      throw new AssertionError("does not hold: " + what);
    }
    System.out.println(what);
  }
}
