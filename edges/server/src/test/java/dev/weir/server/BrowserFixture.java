package dev.weir.server;

import dev.weir.server.browser.Browser;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;

/**
 * Tests in a real browser, which the tests of a class share. Each begins without cookies, on a wide
 * screen, in the light. Where no browser is installed, each is skipped.
 */
abstract class BrowserFixture {
  private static @Nullable Browser shared;

  Browser browser() {
    Browser there = shared;
    if (there == null) {
      throw new IllegalStateException("no browser is open (expected: after the start of a test)");
    }
    return there;
  }

  @BeforeEach
  final void begin() {
    if (shared == null) {
      shared = Browser.start();
    }
    browser().reset();
  }

  @AfterAll
  static void closeBrowser() {
    Browser there = shared;
    shared = null;
    if (there != null) {
      there.close();
    }
  }
}
