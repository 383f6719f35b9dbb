/**
 * For tests of limited code: a clock that a test moves, a store that it can make fail, and the
 * JUnit extension that brings both. See docs/testing.md.
 */
@NullMarked
package dev.weir.test;

import org.jspecify.annotations.NullMarked;
