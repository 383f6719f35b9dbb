package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.server.browser.Key;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The dashboard is used with the keyboard alone, and read by screen readers. */
class DashboardAccessTest extends BrowserFixture {
  @ParameterizedTest
  @ValueSource(ints = {1280, 390})
  void keyboardReachesAllControlsInOrderAndShowsWhereItIs(int width) {
    browser().resize(width);
    try (TestServer served = FullPage.serve();
        DashboardPage page = FullPage.of(served, browser())) {
      page.run(FROM_THE_TOP);
      List<String> reached = new ArrayList<>();
      String at = "";
      while (!at.equals("BODY") && reached.size() < 300) {
        page.press(Key.TAB);
        at = String.valueOf(page.run(FOCUSED));
        if (at.equals("skip") && reached.contains(at)) {
          break; // around
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
              "primary",
              "Rules");
      assertThat(reached).noneMatch(name -> name.startsWith("no outline"));
    }
  }

  /** The next tab goes on from where the focus was last, also if that is gone. */
  private static final String FROM_THE_TOP =
      """
      const top = document.createElement('span');
      top.tabIndex = -1;
      document.body.prepend(top);
      top.focus();
      top.remove();
      """;

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
    try (TestServer served = FullPage.serve();
        DashboardPage page = DashboardPage.of(served, browser())) {
      page.type("#explain-text", "GET /r3");
      page.press(Key.TAB, Key.TAB, Key.ENTER);
      page.await("document.getElementById('explanation').textContent.includes('Would pass')");
    }
  }

  @Test
  void landmarksHeadingsAndNamesAreThereForScreenReaders() {
    try (TestServer served = FullPage.serve();
        DashboardPage page = FullPage.of(served, browser())) {
      assertThat(
              page.texts(
                  "return [...document.querySelectorAll('h1')].filter((h) => h.checkVisibility()).map((h) => h.textContent)"))
          .containsExactly("Weir decides every request");
      assertThat(
              page.texts(
                  "return [...document.querySelectorAll('h2')].filter((h) => h.checkVisibility()).map((h) => h.textContent)"))
          .containsSubsequence(
              "Decisions per second",
              "Denied per second, by rule",
              "Top denied callers",
              "Utilisation, by rule",
              "Explain a request",
              "Events");
      assertThat(
              page.is(
                  "document.querySelector('main') && document.querySelector('header') && document.documentElement.lang"))
          .isTrue();
      assertThat(
              page.texts(
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

  /** A screen reader reads what changes there; numbers that change each second would never end. */
  @Test
  void liveRegionsAreQuietWhileOnlyNumbersChange() {
    try (TestServer served = FullPage.serve();
        DashboardPage page = FullPage.of(served, browser())) {
      page.run(
          """
          window.heard = [];
          window.seconds = 0;
          const watch = (node, listener) => new MutationObserver(listener)
              .observe(node, {subtree: true, childList: true, characterData: true});
          document.querySelectorAll('[aria-live], [role=alert], [role=status], [role=log], output')
              .forEach((node) => watch(node, () => window.heard.push(node.textContent)));
          watch(document.getElementById('link-text'), () => window.seconds++);
          """);
      for (int second = 1; second <= 4; second++) {
        served.get("/v1/check/r1", "X-Key", "caller-1");
        page.await("window.seconds >= arguments[0]", second);
      }
      assertThat(page.texts("return window.heard")).isEmpty();
      assertThat(page.is("document.querySelector('[aria-live], [role=status]')")).isTrue();
    }
  }
}
