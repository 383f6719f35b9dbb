package dev.weir.server;

import static dev.weir.server.AdminAccess.OPERATOR;
import static dev.weir.server.AdminAccess.VIEWER;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.server.browser.Browser;
import dev.weir.server.browser.Key;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Who may see the dashboard, and act on it, in a real browser. */
class DashboardSessionTest {
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

  @AfterEach
  void leave() {
    browser.open("about:blank");
  }

  private static void open(AdminAccess admin) {
    browser.open("http://127.0.0.1:" + admin.served.adminPort() + "/");
    browser.await("!document.getElementById('login').hidden");
  }

  private static void logIn(String token, String name) {
    browser.run("document.getElementById('login').reset()");
    browser.type("#login-token", token);
    browser.type("#login-name", name);
    browser.press(Key.ENTER);
  }

  private static void awaitLive() {
    browser.await("document.documentElement.dataset.link === 'live'");
  }

  @Test
  void pageAsksForATokenAndShowsNothingBefore() {
    try (AdminAccess admin = AdminAccess.guarded()) {
      open(admin);
      assertThat(browser.is("document.getElementById('board').checkVisibility()")).isFalse();
      logIn("a token that nobody gave out", "");
      browser.await("document.getElementById('login-error').textContent !== ''");
      assertThat(browser.is("document.getElementById('board').checkVisibility()")).isFalse();
      logIn(OPERATOR, "Ann");
      awaitLive();
      assertThat(browser.text("#who")).isEqualTo("Ann, operator");
      assertThat(browser.text("#verdict")).isEqualTo("Weir decides every request");
      assertThat(browser.is("document.getElementById('login').checkVisibility()")).isFalse();
      assertThat(browser.run("return document.getElementById('login-token').value")).isEqualTo("");
    }
  }

  @Test
  void logoutShowsTheFormAndNothingElse() {
    try (AdminAccess admin = AdminAccess.guarded()) {
      open(admin);
      logIn(OPERATOR, "");
      awaitLive();
      browser.click("#log-out");
      browser.await("document.getElementById('login').checkVisibility()");
      assertThat(browser.is("document.getElementById('board').checkVisibility()")).isFalse();
      assertThat(browser.is("document.getElementById('lost').checkVisibility()")).isFalse();
      logIn(VIEWER, "");
      awaitLive();
    }
  }

  @Test
  void sessionThatEndsElsewhereShowsTheForm() {
    try (AdminAccess admin = AdminAccess.guarded()) {
      open(admin);
      logIn(VIEWER, "Bob");
      awaitLive();
      browser.run(
          "return fetch('/logout', {method: 'POST', body: '{}',"
              + " headers: {'Content-Type': 'application/json'}}).then((answer) => answer.status)");
      browser.await("document.getElementById('login').checkVisibility()");
      assertThat(browser.is("document.getElementById('board').checkVisibility()")).isFalse();
    }
  }

  @Test
  void viewerExplainsAndHasNoButtonThatActs() {
    try (AdminAccess admin = AdminAccess.guarded()) {
      open(admin);
      logIn(VIEWER, "Bob");
      awaitLive();
      browser.type("#explain-text", "/hello");
      browser.click("#explain button");
      browser.await("document.getElementById('explanation').textContent.includes('Would pass')");
      assertThat(
              browser.texts(
                  "return [...document.querySelectorAll('.acts')]"
                      + ".filter((node) => node.checkVisibility()).map((node) => node.textContent)"))
          .isEmpty();
      assertThat(browser.text("#who")).isEqualTo("Bob, viewer");
    }
  }
}
