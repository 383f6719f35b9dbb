package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.async.Continuations;
import dev.weir.redis.RedisStore;
import dev.weir.redis.connection.RedisSettings;
import dev.weir.testkit.Effort;
import dev.weir.testkit.redis.RedisServer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A Redis that is killed while somebody looks at the dashboard. */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class DashboardStoreTest extends BrowserFixture {
  /**
   * The server asks its store every second, within a deadline of two; the page has it a second
   * later.
   */
  private static final Duration SHOWN = Duration.ofSeconds(8);

  private static final String LOCAL = "rules: [{name: all, limit: 900/hour}]";
  private static final String OPEN =
      """
      rules:
        - {name: open, match: {path: /a}, limit: 900/hour, when-store-fails: allow}
        - {name: here, match: {path: /b}, limit: 900/hour}
      """;

  private static RedisStore connect(RedisServer redis) {
    return RedisStore.connect(RedisSettings.parse(redis.url()), Continuations.DIRECT);
  }

  @Test
  void storeThatIsKilledIsShownWithinSecondsAndSoIsItsReturn() {
    try (RedisServer redis = RedisServer.start();
        RedisStore store = connect(redis);
        TestServer served = TestServer.on(LOCAL, store, redis.url());
        DashboardPage page = DashboardPage.of(served, browser())) {
      page.await("document.getElementById('health').dataset.state === 'ok'");
      assertThat(page.text("#facts")).contains("answers", redis.url(), "closed", "normal");
      long killed = System.nanoTime();
      redis.kill();
      page.awaitText("#verdict", "The store does not answer: each server counts alone");
      Duration shown = Duration.ofNanos(System.nanoTime() - killed);
      System.out.printf("shown %d ms after the kill%n", shown.toMillis());
      if (Effort.isThorough()) {
        assertThat(shown).isLessThan(SHOWN);
      }
      assertThat(page.is("document.getElementById('health').dataset.state === 'warn'")).isTrue();
      assertThat(page.text("#facts")).contains("no answer", "degraded");
      assertThat(page.is("document.title.startsWith('⚠ The store does not answer')")).isTrue();
      page.awaitText("#events", "store");
      page.await("document.querySelector('#chart .flag.error, #chart .flag.warning') !== null");
      redis.restart();
      page.awaitText("#verdict", "Weir decides every request");
      assertThat(page.text("#facts")).contains("answers", "normal");
    }
  }

  @Test
  void rulesThatLetEverythingPassWithoutTheStoreMakeThePageRed() {
    try (RedisServer redis = RedisServer.start();
        RedisStore store = connect(redis);
        TestServer served = TestServer.on(OPEN, store, redis.url());
        DashboardPage page = DashboardPage.of(served, browser())) {
      redis.kill();
      page.awaitText("#verdict", "The store does not answer, and requests pass uncounted");
      assertThat(page.is("document.getElementById('health').dataset.state === 'bad'")).isTrue();
      assertThat(page.text("#verdict-more"))
          .isEqualTo(
              "By failure mode: 1 rule lets everything pass, 1 rule counts on each server alone.");
      served.get("/v1/check/a");
      page.await("document.querySelector('#chart .area.uncounted') !== null");
    }
  }
}
