/** A real browser for tests, driven by the WebDriver protocol. */
@NullMarked
package dev.weir.server.browser;

import org.jspecify.annotations.NullMarked;
