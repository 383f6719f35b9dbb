package dev.weir.server;

import static dev.weir.server.AdminAccess.OPERATOR;
import static dev.weir.server.AdminAccess.VIEWER;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Who may see the dashboard, and act on it, in a real browser. */
class DashboardSessionTest extends BrowserFixture {
  @Test
  void pageAsksForATokenAndShowsNothingBefore() {
    try (AdminAccess admin = AdminAccess.guarded();
        DashboardPage page = DashboardPage.asking(admin.served, browser())) {
      assertThat(page.isVisible("#board")).isFalse();
      page.expectProblem("/login").logIn("a token that nobody gave out", "");
      page.await("document.getElementById('login-error').textContent !== ''");
      assertThat(page.isVisible("#board")).isFalse();
      page.logIn(OPERATOR, "Ann");
      page.awaitLive();
      assertThat(page.text("#who")).isEqualTo("Ann, operator");
      assertThat(page.text("#verdict")).isEqualTo("Weir decides every request");
      assertThat(page.isVisible("#login")).isFalse();
      assertThat(page.run("return document.getElementById('login-token').value")).isEqualTo("");
    }
  }

  @Test
  void logoutShowsTheFormAndNothingElse() {
    try (AdminAccess admin = AdminAccess.guarded();
        DashboardPage page = DashboardPage.asking(admin.served, browser())) {
      page.logIn(OPERATOR, "");
      page.awaitLive();
      page.click("#log-out");
      page.await("document.getElementById('login').checkVisibility()");
      assertThat(page.isVisible("#board")).isFalse();
      assertThat(page.isVisible("#lost")).isFalse();
      page.logIn(VIEWER, "");
      page.awaitLive();
    }
  }

  @Test
  void sessionThatEndsElsewhereShowsTheForm() {
    try (AdminAccess admin = AdminAccess.guarded();
        DashboardPage page = DashboardPage.asking(admin.served, browser())) {
      page.expectProblem("/live").expectProblem("/session").expectProblem("/actions");
      page.logIn(VIEWER, "Bob");
      page.awaitLive();
      page.run(
          "return fetch('/logout', {method: 'POST', body: '{}',"
              + " headers: {'Content-Type': 'application/json'}}).then((answer) => answer.status)");
      page.await("document.getElementById('login').checkVisibility()");
      assertThat(page.isVisible("#board")).isFalse();
    }
  }

  @Test
  void viewerExplainsAndHasNoButtonThatActs() {
    try (AdminAccess admin = AdminAccess.guarded();
        DashboardPage page = DashboardPage.asking(admin.served, browser())) {
      page.logIn(VIEWER, "Bob");
      page.awaitLive();
      page.type("#explain-text", "/hello");
      page.click("#explain button");
      page.await("document.getElementById('explanation').textContent.includes('Would pass')");
      assertThat(
              page.texts(
                  "return [...document.querySelectorAll('.acts')]"
                      + ".filter((node) => node.checkVisibility()).map((node) => node.textContent)"))
          .isEmpty();
      assertThat(page.text("#who")).isEqualTo("Bob, viewer");
    }
  }
}
