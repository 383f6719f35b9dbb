package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.server.browser.Browser;
import dev.weir.server.browser.Key;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The dashboard can be read and used: in both themes, at both widths, and with the keyboard. */
class DashboardLooksTest {
  private static final int RULES = 20;

  /** Texts with too little contrast on what is behind them, by the formula of WCAG 2. */
  private static final String FAINT_TEXTS =
      """
      const channels = (color) => color.match(/[\\d.]+/g).map(Number);
      const luminance = (color) => {
        const [r, g, b] = channels(color).map((c) => c / 255)
            .map((c) => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      };
      const behind = (node) => {
        for (let at = node; at !== null; at = at.parentElement) {
          const back = getComputedStyle(at).backgroundColor;
          if (channels(back)[3] !== 0) {
            return back;
          }
        }
        return 'rgb(255, 255, 255)';
      };
      const faint = [];
      for (const node of document.querySelectorAll('body *')) {
        const own = [...node.childNodes].some((child) => child.nodeType === 3 && child.data.trim());
        const style = getComputedStyle(node);
        if (!own || node.closest('[hidden], .unseen, .skip, dialog:not([open])') || !node.checkVisibility()) {
          continue;
        }
        const [one, other] = [node instanceof SVGElement ? style.fill : style.color, behind(node)]
            .map(luminance).sort((a, b) => b - a);
        const ratio = (one + 0.05) / (other + 0.05);
        const large = parseFloat(style.fontSize) >= 24;
        if (ratio < (large ? 3 : 4.5)) {
          faint.push(`${node.textContent.trim().slice(0, 40)} ${ratio.toFixed(2)}`);
        }
      }
      return faint;
      """;

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

  private static String name(int number) {
    return ("rule-number-" + number + "-of-the-european-region-").repeat(3).substring(0, 60);
  }

  private static String rules() {
    StringBuilder rules =
        new StringBuilder("identity: {key: header X-Key}\nlint-ignore: forgeable-key\nrules:\n");
    for (int i = 0; i < RULES; i++) {
      rules.append("  - {name: ").append(name(i)).append(", match: {path: /r").append(i);
      rules.append("}, per: key, limit: 1/hour}\n");
    }
    return rules.toString();
  }

  /** A server whose page has all that it can have, in full length. */
  private static DashboardPage full(TestServer served) {
    for (int i = 0; i < RULES; i++) {
      for (int times = 0; times < 3; times++) {
        served.get("/v1/check/r" + i, "X-Key", "caller-" + i);
      }
    }
    DashboardPage page = DashboardPage.of(served, browser);
    browser.await("document.querySelectorAll('#callers tbody tr').length === 20");
    browser.await("document.querySelectorAll('#denied tbody tr').length === 20");
    browser.run("document.querySelectorAll('.fold').forEach((button) => button.click())");
    page.explain(
        "curl https://api.example.com/r1?" + "q".repeat(200) + " -H 'X-Key: caller-1' -d x=1");
    browser.run("document.querySelectorAll('details').forEach((one) => { one.open = true; })");
    browser.await("document.querySelectorAll('#chart-table tbody tr').length > 0");
    return page;
  }

  @ParameterizedTest
  @CsvSource({"1280, light", "1280, dark", "390, light", "390, dark"})
  void everythingIsReadableAndNothingScrollsSideways(int width, String theme) {
    browser.resize(width);
    browser.prefer(theme);
    try (TestServer served = TestServer.with(rules());
        DashboardPage page = full(served)) {
      assertThat(browser.run("return document.documentElement.dataset.theme")).isEqualTo(theme);
      assertThat(browser.run("return document.documentElement.scrollWidth - innerWidth"))
          .isEqualTo(0);
      assertThat(
              browser.texts(
                  """
                  return [...document.querySelectorAll('.card, .card *')]
                      .filter((node) => node.checkVisibility() && !node.closest('svg, .unseen, .scroll')
                          && !getComputedStyle(node).clipPath.includes('inset'))
                      .filter((node) => node.getBoundingClientRect().right > innerWidth)
                      .map((node) => `${node.tagName} ${node.textContent.slice(0, 40)}`);
                  """))
          .isEmpty();
      assertThat(browser.texts(FAINT_TEXTS)).isEmpty();
    }
  }

  @Test
  void themeIsChosenAndKept() {
    browser.resize(1280);
    browser.prefer("light");
    try (TestServer served = TestServer.with(rules());
        DashboardPage page = DashboardPage.of(served, browser)) {
      String background = "getComputedStyle(document.documentElement).backgroundColor";
      Object light = browser.run("return " + background);
      browser.type("#theme", "Dark");
      assertThat(browser.run("return " + background)).isNotEqualTo(light);
      browser.reload();
      browser.await("document.documentElement.dataset.link === 'live'");
      assertThat(browser.is("document.documentElement.dataset.theme === 'dark'")).isTrue();
      browser.type("#theme", "System");
      assertThat(browser.run("return " + background)).isEqualTo(light);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1280, 390})
  void keyboardReachesAllControlsInOrderAndShowsWhereItIs(int width) {
    browser.resize(width);
    browser.prefer("light");
    try (TestServer served = TestServer.with(rules());
        DashboardPage page = full(served)) {
      browser.run(
          "document.documentElement.dataset.link = 'live';"
              + "document.activeElement.blur(); scrollTo(0, 0);");
      List<String> reached = new ArrayList<>();
      for (int i = 0; i < 80; i++) {
        browser.press(Key.TAB);
        String at = String.valueOf(browser.run(FOCUSED));
        if (at.equals("BODY") || reached.contains(at)) {
          break;
        }
        reached.add(at);
      }
      assertThat(reached)
          .startsWith("skip", "theme")
          .containsSubsequence(
              "theme",
              "seconds",
              "chart",
              "denied",
              "minute",
              "callers-rule",
              "explain-text",
              "explain-peer",
              "Explain",
              "Rules");
      assertThat(reached).noneMatch(name -> name.startsWith("no outline"));
    }
  }

  /** Names the element that has the focus, and says if nobody could see that. */
  private static final String FOCUSED =
      """
      const node = document.activeElement;
      const shown = node.matches('input[type=radio]') ? node.nextElementSibling : node;
      const visible = node === document.body || getComputedStyle(shown).outlineStyle !== 'none';
      const name = node.id || node.value || node.className || node.textContent.trim() || node.tagName;
      return (visible ? '' : 'no outline: ') + (node === document.body ? 'BODY' : name);
      """;

  @Test
  void explainBoxWorksWithoutAPointer() {
    browser.resize(1280);
    try (TestServer served = TestServer.with(rules());
        DashboardPage page = DashboardPage.of(served, browser)) {
      browser.type("#explain-text", "GET /r3");
      browser.press(Key.TAB, Key.TAB, Key.ENTER);
      browser.await("document.getElementById('explanation').textContent.includes('Would pass')");
    }
  }

  @Test
  void landmarksHeadingsAndNamesAreThereForScreenReaders() {
    browser.resize(1280);
    try (TestServer served = TestServer.with(rules());
        DashboardPage page = full(served)) {
      assertThat(browser.texts("return [...document.querySelectorAll('h1')].filter((h) => h.checkVisibility()).map((h) => h.textContent)"))
          .containsExactly("Weir decides every request");
      assertThat(browser.texts("return [...document.querySelectorAll('h2')].filter((h) => h.checkVisibility()).map((h) => h.textContent)"))
          .containsSubsequence(
              "Decisions per second",
              "Denied per second, by rule",
              "Top denied callers",
              "Utilisation, by rule",
              "Explain a request",
              "Events");
      assertThat(browser.is("document.querySelector('main') && document.querySelector('header') && document.documentElement.lang"))
          .isTrue();
      assertThat(
              browser.texts(
                  """
                  return [...document.querySelectorAll('input, select, textarea, button')]
                      .filter((node) => node.checkVisibility())
                      .filter((node) => node.tagName === 'BUTTON'
                          ? !node.textContent.trim() && !node.ariaLabel
                          : node.labels.length === 0)
                      .map((node) => node.outerHTML);
                  """))
          .isEmpty();
    }
  }
}
