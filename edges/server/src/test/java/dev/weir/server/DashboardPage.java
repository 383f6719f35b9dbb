package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.server.browser.Browser;
import dev.weir.server.browser.Key;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The dashboard of a server in a browser. It must be closed before the server: then it asserts that
 * there was no error in the console.
 */
final class DashboardPage implements AutoCloseable {
  private final Browser browser;
  private final List<String> expected = new ArrayList<>();

  private DashboardPage(Browser browser) {
    this.browser = browser;
  }

  /** Opens the page, and returns once it shows live data. */
  static DashboardPage of(TestServer served, Browser browser) {
    DashboardPage page = at(served, browser);
    page.awaitLive();
    return page;
  }

  /** Opens the page, and returns once it asks for a token. */
  static DashboardPage asking(TestServer served, Browser browser) {
    DashboardPage page = at(served, browser);
    page.await("document.getElementById('login').checkVisibility()");
    return page;
  }

  private static DashboardPage at(TestServer served, Browser browser) {
    browser.problems(); // those of the page before
    browser.open("http://127.0.0.1:" + served.adminPort() + "/");
    return new DashboardPage(browser);
  }

  /** Errors in the console with this text are part of the test, such as those of a lost server. */
  DashboardPage expectProblem(String text) {
    expected.add(text);
    return this;
  }

  /** Returns once the page shows what the server sends. */
  void awaitLive() {
    await("document.documentElement.dataset.link === 'live'");
  }

  /** Fills in the form for a token, and sends it. */
  void logIn(String token, String name) {
    run("document.getElementById('login').reset()");
    type("#login-token", token);
    type("#login-name", name);
    press(Key.ENTER);
  }

  /** Explains a text that somebody pastes, and returns the answer in words. */
  String explain(String text) {
    run(
        "document.getElementById('explanation').replaceChildren();"
            + "document.getElementById('explain-text').value = arguments[0];",
        text);
    click("#explain button");
    await("document.getElementById('explanation').textContent !== ''");
    return text("#explanation");
  }

  /** Waits for the row of a caller of a rule, and returns its text. */
  String caller(String rule) {
    String find =
        "[...document.querySelectorAll('#callers tbody tr')]"
            + ".find((row) => row.querySelector('.name').textContent === arguments[0])";
    await(find, rule);
    return String.valueOf(run("return " + find + ".innerText", rule));
  }

  /** The texts of the elements that a reader sees. */
  List<String> visible(String css) {
    return texts(
        "return [...document.querySelectorAll(arguments[0])]"
            + ".filter((node) => node.checkVisibility()).map((node) => node.textContent)",
        css);
  }

  boolean isVisible(String css) {
    return is("document.querySelector(arguments[0])?.checkVisibility()", css);
  }

  void await(String condition, Object... arguments) {
    browser.await(condition, arguments);
  }

  /** Returns once an element has this text, among others. */
  void awaitText(String css, String text) {
    await("document.querySelector(arguments[0])?.textContent.includes(arguments[1])", css, text);
  }

  boolean is(String condition, Object... arguments) {
    return browser.is(condition, arguments);
  }

  @Nullable Object run(String script, Object... arguments) {
    return browser.run(script, arguments);
  }

  String text(String css) {
    return browser.text(css);
  }

  List<String> texts(String script, Object... arguments) {
    return browser.texts(script, arguments);
  }

  void click(String css) {
    browser.click(css);
  }

  void type(String css, String text) {
    browser.type(css, text);
  }

  void press(Key... keys) {
    browser.press(keys);
  }

  @Override
  public void close() {
    List<String> problems = browser.problems();
    browser.open("about:blank");
    assertThat(problems)
        .as("the console")
        .filteredOn(problem -> expected.stream().noneMatch(problem::contains))
        .isEmpty();
  }
}
