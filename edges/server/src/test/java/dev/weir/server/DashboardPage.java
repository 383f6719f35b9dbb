package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.server.browser.Browser;
import java.util.List;

/**
 * The dashboard of a server in a browser. It must be closed before the server: then it asserts that
 * there was no error in the console.
 */
final class DashboardPage implements AutoCloseable {
  /** A server without it answers with 404, which the page takes for an answer. */
  private static final List<String> OPTIONAL = List.of("/actions ");

  private final Browser browser;
  private boolean expectsProblems;

  private DashboardPage(Browser browser) {
    this.browser = browser;
  }

  /** Opens the page, and returns once it shows live data. */
  static DashboardPage of(TestServer served, Browser browser) {
    browser.problems();
    browser.open("http://127.0.0.1:" + served.adminPort() + "/");
    browser.await("document.documentElement.dataset.link === 'live'");
    return new DashboardPage(browser);
  }

  /** Errors in the console are part of the test: those of a server that is gone. */
  void expectProblems() {
    expectsProblems = true;
  }

  /** Explains a text that somebody pastes, and returns the answer in words. */
  String explain(String text) {
    browser.run(
        "document.getElementById('explanation').replaceChildren();"
            + "document.getElementById('explain-text').value = arguments[0];",
        text);
    browser.click("#explain button");
    browser.await("document.getElementById('explanation').textContent !== ''");
    return browser.text("#explanation");
  }

  /** Waits for the row of a caller of a rule, and returns its text. */
  String caller(String rule) {
    String find =
        "[...document.querySelectorAll('#callers tbody tr')]"
            + ".find((row) => row.querySelector('.name').textContent === arguments[0])";
    browser.await(find, rule);
    return String.valueOf(browser.run("return " + find + ".innerText", rule));
  }

  @Override
  public void close() {
    List<String> problems =
        browser.problems().stream()
            .filter(problem -> OPTIONAL.stream().noneMatch(problem::contains))
            .toList();
    browser.open("about:blank");
    if (!expectsProblems) {
      assertThat(problems).as("the console").isEmpty();
    }
  }
}
