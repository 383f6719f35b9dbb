package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.memory.MemoryStore;
import dev.weir.server.browser.Key;
import dev.weir.server.settings.ServerSettings;
import dev.weir.testkit.Effort;
import dev.weir.testkit.redis.Await;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What operators see on the dashboard of a server, in a real browser. */
class DashboardTest extends BrowserFixture {
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final String RULES =
      """
      identity: {key: header X-Key}
      lint-ignore: forgeable-key
      rules:
        - {name: per-key, match: {path: /items}, per: key, limit: 2/hour}
        - {name: login, match: {path: /login, method: POST}, per: ip, limit: 1/hour}
        - {name: trial, match: {path: /trial}, per: key, limit: 1/hour, shadow: true}
      """;

  private static void check(TestServer served, String path, String key, int times) {
    for (int i = 0; i < times; i++) {
      served.get("/v1/check" + path, "X-Key", key);
    }
  }

  @Test
  void pageSaysThatWeirDecidesAndNothingElseBeforeThereIsAnyRequest() {
    try (TestServer served = TestServer.with(RULES);
        DashboardPage page = DashboardPage.of(served, browser())) {
      assertThat(page.text("#verdict")).isEqualTo("Weir decides every request");
      assertThat(page.text("#facts")).contains("embedded", "normal");
      assertThat(page.text("#callers")).startsWith("Nobody was denied.");
      assertThat(page.text("#denied")).startsWith("No rule denies anybody.");
      assertThat(page.text("#use")).startsWith("No rule has decided");
    }
  }

  @Test
  void deniedCallerIsShownByItsHashWithItsRuleAndCount() {
    try (TestServer served = TestServer.with(RULES);
        DashboardPage page = DashboardPage.of(served, browser())) {
      check(served, "/items", "mallory", 5);
      String row = page.caller("per-key");
      page.await("document.querySelector('#callers td.num').textContent === '3'");
      assertThat(row).containsPattern("[0-9a-f]{16}").doesNotContain("mallory");
      assertThat(page.text("#denied")).contains("per-key");
      assertThat(page.text("#use")).contains("per-key", "100 % full");
      page.await("document.querySelector('#chart .area.denied') !== null");
    }
  }

  @Test
  @Tag(Effort.TAG)
  void deniedCallerIsShownWithinTwoSeconds() {
    try (TestServer served = TestServer.with(RULES);
        DashboardPage page = DashboardPage.of(served, browser())) {
      check(served, "/items", "mallory", 3);
      long begin = System.nanoTime();
      page.caller("per-key");
      assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(2));
    }
  }

  @Test
  void callersAreListedByKindAndRule() {
    try (TestServer served = TestServer.with(RULES);
        DashboardPage page = DashboardPage.of(served, browser())) {
      check(served, "/items", "ann", 1);
      check(served, "/trial", "bob", 4);
      page.await("document.querySelectorAll('#callers-rule option').length > 2");
      page.click("#callers-filters [value=shadow-denied]");
      assertThat(page.caller("trial")).contains("3");
      assertThat(page.text("#callers-title")).isEqualTo("Top shadow-denied callers");
      page.click("#callers-filters [value=allowed]");
      assertThat(page.caller("per-key")).contains("1");
      page.run(
          "const rule = document.getElementById('callers-rule');"
              + "rule.value = 'trial'; rule.dispatchEvent(new Event('change', {bubbles: true}))");
      page.await("!document.querySelector('#callers').textContent.includes('per-key')");
      assertThat(page.caller("trial")).contains("1");
    }
  }

  @Test
  void explainBoxSaysWhichRulesApplyAndWhyOthersDoNotAndSpendsNothing() {
    try (TestServer served = TestServer.with(RULES);
        DashboardPage page = DashboardPage.of(served, browser())) {
      String answer =
          page.explain("curl -X POST https://api.example.com/login?next=a -H 'X-Key: k' -d 'a=1'");
      assertThat(answer)
          .contains("Would pass", "POST /login", "login", "1 per hour", "1 of 1 left")
          .contains("2 rules do not apply");
      assertThat(page.texts("return [document.querySelector('.not-applying').textContent]"))
          .first()
          .asString()
          .contains("path is /login (expected: /items)");
      for (int i = 0; i < 3; i++) {
        assertThat(page.explain("GET /items\nX-Key: k")).contains("2 of 2 left");
      }
      check(served, "/items", "k", 2);
      assertThat(page.explain("path=/items, header x-key=k"))
          .contains("Would be denied with 429 by per-key", "May pass in", "0 of 2 left");
      assertThat(page.explain("/elsewhere")).contains("no rule applies");
      assertThat(page.explain("what?")).contains("not understood: what? (expected: a curl line");
      assertThat(page.explain("pth=/items")).contains("values.pth: unknown name");
      page.expectProblem("/explain "); // the last one was answered with 400
    }
  }

  @Test
  void reloadIsAnEventAndAMarkerOfTheChartAndARefusedVersionIsAProblem() {
    try (TestServer served = TestServer.with(RULES);
        DashboardPage page = DashboardPage.of(served, browser())) {
      served.rewrite(RULES.replace("2/hour", "3/hour"));
      page.await("document.querySelector('#events').textContent.includes('are active')");
      page.await("document.querySelectorAll('#chart .flag').length >= 2");
      served.rewrite(RULES.replace("2/hour", "none/hour"));
      page.await("document.querySelector('#health').dataset.state === 'warn'");
      assertThat(page.text("#problems")).contains("none/hour");
      page.await("document.querySelector('#events .error') !== null");
    }
  }

  @Test
  void chartIsReadWithTheKeyboardAndAsATable() {
    try (TestServer served = TestServer.with(RULES);
        DashboardPage page = DashboardPage.of(served, browser())) {
      check(served, "/items", "ann", 2);
      page.await("document.querySelector('#chart .area.allowed') !== null");
      page.run("document.getElementById('chart').focus()");
      page.press(Key.HOME);
      page.await("/^\\d\\d:\\d\\d:\\d\\d/.test(document.getElementById('chart').ariaValueText)");
      String read = "document.getElementById('chart').ariaValueText";
      for (int i = 0; i < 600 && !page.is(read + ".includes('allowed')"); i++) {
        page.press(Key.RIGHT);
      }
      assertThat(page.is(read + ".includes('allowed')")).isTrue();
      page.press(Key.ESCAPE);
      assertThat(page.is(read + " === 'now'")).isTrue();
      page.click("#chart-table summary");
      page.await("document.querySelectorAll('#chart-table tbody tr').length >= 1");
      page.click("#span [value=minutes]");
      page.await("document.getElementById('chart-note').textContent !== ''");
    }
  }

  @Test
  void brokenStreamIsShownWithItsTimeAndThePageComesBackByItself() {
    TestServer first = TestServer.with(RULES);
    ServerSettings again = ServerSettings.DEFAULT.withPorts(0, -1, first.adminPort());
    try (DashboardPage page = DashboardPage.of(first, browser())) {
      page.expectProblem("/live").expectProblem("/session").expectProblem("/actions");
      first.close();
      page.await("document.documentElement.dataset.link === 'lost'");
      assertThat(page.text("#lost-text"))
          .containsPattern("No data from Weir since \\d\\d:\\d\\d:\\d\\d");
      assertThat(page.text("#verdict")).startsWith("Unknown whether Weir decides");
      assertThat(page.text("#link-text")).isEqualTo("Not live");
      assertThat(page.is("getComputedStyle(document.getElementById('board')).filter !== 'none'"))
          .as("numbers lose their colours")
          .isTrue();
      try (TestServer second = startAgain(again)) {
        page.awaitLive();
        assertThat(page.text("#verdict")).isEqualTo("Weir decides every request");
        assertThat(page.isVisible("#lost")).isFalse();
        check(second, "/items", "mallory", 3);
        assertThat(page.caller("per-key")).isNotEmpty();
      }
    }
  }

  /** The port may be in use for a moment. */
  private static TestServer startAgain(ServerSettings settings) {
    TestServer[] started = new TestServer[1];
    Await.until(
        "the port of the first server is free",
        LONG,
        () -> {
          try {
            started[0] = TestServer.onItsPorts(RULES, settings, new MemoryStore());
            return true;
          } catch (RuntimeException e) {
            return false;
          }
        });
    return started[0];
  }
}
