package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.memory.MemoryStore;
import dev.weir.server.settings.ServerSettings;
import org.junit.jupiter.api.Test;

/**
 * Markup in data stays text on the dashboard, wherever it comes from (stored XSS). A test plants an
 * element with an event handler, sees its text on the page, and finds that nothing has run.
 */
class DashboardInjectionTest extends BrowserFixture {
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

  /** Sees the markup as a text in a part of the page, and that it has become no element. */
  private static void staysText(DashboardPage page, String css) {
    page.awaitText(css, MARKUP);
    nothingRan(page);
  }

  private static void nothingRan(DashboardPage page) {
    assertThat(page.is("document.querySelector('img, script:not([src])')")).isFalse();
    assertThat(page.is("document.title.includes('owned')")).isFalse();
  }

  @Test
  void nameOfRuleStaysText() {
    try (TestServer served =
            TestServer.configured(DOMAIN, ServerSettings.DEFAULT, new MemoryStore());
        DashboardPage page = DashboardPage.of(served, browser())) {
      for (int i = 0; i < 3; i++) {
        served.post(
            "/json",
            "{\"domain\": \"shop\", \"descriptors\": [{\"entries\": [{\"key\": \"user\","
                + " \"value\": \""
                + MARKUP
                + "\"}]}]}");
      }
      staysText(page, "#denied");
      staysText(page, "#use");
      staysText(page, "#callers");
      staysText(page, "#callers-rule");
    }
  }

  @Test
  void textOfEventAndProblemStaysText() {
    try (TestServer served = TestServer.with(RULES);
        DashboardPage page = DashboardPage.of(served, browser())) {
      served.rewrite(RULES.replace("1/hour", '"' + MARKUP + '"'));
      staysText(page, "#problems");
      staysText(page, "#events");
      page.await("document.querySelector('#chart .flag.error title') !== null");
      staysText(page, "#chart");
    }
  }

  @Test
  void explainedPathHeaderAndValueStayText() {
    try (TestServer served = TestServer.with(RULES);
        DashboardPage page = DashboardPage.of(served, browser())) {
      page.explain("curl 'http://h/items/" + MARKUP + "' -H \"X-Key: " + MARKUP + '"');
      page.expectProblem("/explain "); // a blank is refused in a path
      page.run("document.getElementById('explanation').replaceChildren()");
      page.explain("curl 'http://h/items/a' -H \"X-Key: " + MARKUP + '"');
      staysText(page, "#explanation");
      page.explain("path=/items/a, header x-key=" + MARKUP.replace("=", "\\u003d"));
      page.explain("{\"path\": \"/items/" + MARKUP + "\", \"header x-key\": \"" + MARKUP + "\"}");
      staysText(page, "#explanation");
      page.explain("{\"" + MARKUP + "\": \"a\"}");
      staysText(page, "#explanation");
      page.explain(MARKUP);
      assertThat(page.text("#explanation")).contains("<img");
      nothingRan(page);
    }
  }

  @Test
  void deniedPathAndHeaderOfCallerAreNotOnThePage() {
    try (TestServer served = TestServer.with(RULES);
        DashboardPage page = DashboardPage.of(served, browser())) {
      for (int i = 0; i < 3; i++) {
        served.get("/v1/check/items/a", "X-Key", MARKUP);
      }
      assertThat(page.caller("items")).doesNotContain("img");
      nothingRan(page);
    }
  }

  @Test
  void pageRefusesMarkupEvenFromItsOwnScripts() {
    try (TestServer served = TestServer.with(RULES);
        DashboardPage page = DashboardPage.of(served, browser())) {
      page.expectProblem("requires 'TrustedHTML' assignment");
      assertThat(
              page.run(
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
