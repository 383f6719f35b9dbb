package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.memory.MemoryStore;
import dev.weir.server.browser.Browser;
import dev.weir.server.settings.ServerSettings;
import java.nio.file.Files;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Markup in data stays text on the dashboard, wherever it comes from (stored XSS). A test plants an
 * element with an event handler, sees its text on the page, and finds that nothing has run.
 */
class DashboardInjectionTest {
  private static final String MARKUP = "<img src=x onerror=document.title='owned'>";
  private static final String RULES =
      """
      identity: {key: header X-Key}
      lint-ignore: forgeable-key
      rules:
        - {name: items, match: {path: /items/*}, per: [key, path], limit: 1/hour}
      """;
  private static final String DOMAIN =
      """
      domain: shop
      descriptors:
        - key: user
          value: "%s"
          rate_limit: {unit: year, requests_per_unit: 1}
      """
          .formatted(MARKUP);

  private static Browser browser;

  @BeforeAll
  static void startBrowser() {
    browser = Browser.start();
  }

  @AfterAll
  static void closeBrowser() {
    if (browser != null) {
      browser.close();
    }
  }

  @BeforeEach
  void useDesktop() {
    browser.resize(1280);
  }

  /** Sees the markup as a text in a part of the page, and that it has become no element. */
  private static void staysText(String css) {
    browser.await(
        "document.querySelector(arguments[0]).textContent.includes(arguments[1])", css, MARKUP);
    assertThat(browser.is("document.querySelector('img, script:not([src])')")).isFalse();
    assertThat(browser.is("document.title.includes('owned')")).isFalse();
  }

  @Test
  void nameOfRuleStaysText() {
    try (TestServer served =
            TestServer.configured(DOMAIN, ServerSettings.DEFAULT, new MemoryStore());
        DashboardPage page = DashboardPage.of(served, browser)) {
      for (int i = 0; i < 3; i++) {
        served.post(
            "/json",
            "{\"domain\": \"shop\", \"descriptors\": [{\"entries\": [{\"key\": \"user\","
                + " \"value\": \""
                + MARKUP
                + "\"}]}]}");
      }
      staysText("#denied");
      staysText("#use");
      staysText("#callers");
      staysText("#callers-rule");
    }
  }

  @Test
  void textOfEventAndProblemStaysText() throws Exception {
    try (TestServer served = TestServer.with(RULES);
        DashboardPage page = DashboardPage.of(served, browser)) {
      Files.writeString(served.rulesFile, RULES.replace("1/hour", '"' + MARKUP + '"'));
      served.watch.poll();
      staysText("#problems");
      staysText("#events");
      browser.await("document.querySelector('#chart .flag.error title') !== null");
      staysText("#chart");
    }
  }

  @Test
  void explainedPathHeaderAndValueStayText() {
    try (TestServer served = TestServer.with(RULES);
        DashboardPage page = DashboardPage.of(served, browser)) {
      page.explain("curl 'http://h/items/" + MARKUP + "' -H \"X-Key: " + MARKUP + '"');
      page.expectProblems(); // a blank is refused in a path
      browser.run("document.getElementById('explanation').replaceChildren()");
      page.explain("curl 'http://h/items/a' -H \"X-Key: " + MARKUP + '"');
      staysText("#explanation");
      page.explain("path=/items/a, header x-key=" + MARKUP.replace("=", "\\u003d"));
      page.explain(
          "{\"path\": \"/items/" + MARKUP + "\", \"header x-key\": \"" + MARKUP + "\"}");
      staysText("#explanation");
      page.explain("{\"" + MARKUP + "\": \"a\"}");
      staysText("#explanation");
      page.explain(MARKUP);
      assertThat(browser.text("#explanation")).contains("<img");
      assertThat(browser.is("document.querySelector('img')")).isFalse();
    }
  }

  @Test
  void deniedPathAndHeaderOfCallerAreNotOnThePage() {
    try (TestServer served = TestServer.with(RULES);
        DashboardPage page = DashboardPage.of(served, browser)) {
      for (int i = 0; i < 3; i++) {
        served.get("/v1/check/items/a", "X-Key", MARKUP);
      }
      assertThat(page.caller("items")).doesNotContain("img");
      assertThat(browser.is("document.querySelector('img')")).isFalse();
    }
  }

  @Test
  void pageRefusesMarkupEvenFromItsOwnScripts() {
    try (TestServer served = TestServer.with(RULES);
        DashboardPage page = DashboardPage.of(served, browser)) {
      page.expectProblems();
      assertThat(
              browser.run(
                  """
                  try {
                    document.getElementById('verdict').innerHTML = arguments[0];
                    return 'parsed';
                  } catch (failure) {
                    return failure.name;
                  }
                  """,
                  MARKUP))
          .isEqualTo("TypeError");
    }
  }
}
