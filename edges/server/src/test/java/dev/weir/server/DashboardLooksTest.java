package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The dashboard can be read in both themes, at both widths. */
class DashboardLooksTest extends BrowserFixture {
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

  @ParameterizedTest
  @CsvSource({"1280, light", "1280, dark", "390, light", "390, dark"})
  void everythingIsReadableAndNothingScrollsSideways(int width, String theme) {
    browser().resize(width);
    browser().prefer(theme);
    try (TestServer served = FullPage.serve();
        DashboardPage page = FullPage.of(served, browser())) {
      assertThat(page.run("return document.documentElement.dataset.theme")).isEqualTo(theme);
      assertThat(
              page.run(
                  "const root = document.documentElement;"
                      + "return root.scrollWidth - root.clientWidth"))
          .isEqualTo(0);
      assertThat(
              page.texts(
                  """
                  return [...document.querySelectorAll('.card, .card *')]
                      .filter((node) => node.checkVisibility() && !node.closest('svg, .unseen, .scroll')
                          && !getComputedStyle(node).clipPath.includes('inset'))
                      .filter((node) => node.getBoundingClientRect().right > innerWidth)
                      .map((node) => `${node.tagName} ${node.textContent.slice(0, 40)}`);
                  """))
          .isEmpty();
      assertThat(page.texts(FAINT_TEXTS)).isEmpty();
    }
  }

  @Test
  void themeIsChosenAndKept() {
    try (TestServer served = FullPage.serve();
        DashboardPage page = DashboardPage.of(served, browser())) {
      String background = "getComputedStyle(document.documentElement).backgroundColor";
      Object light = page.run("return " + background);
      page.type("#theme", "Dark");
      assertThat(page.run("return " + background)).isNotEqualTo(light);
      browser().reload();
      page.await("document.documentElement.dataset.link === 'live'");
      assertThat(page.is("document.documentElement.dataset.theme === 'dark'")).isTrue();
      page.type("#theme", "System");
      assertThat(page.run("return " + background)).isEqualTo(light);
    }
  }
}
