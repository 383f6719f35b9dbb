/** Helpers for tests: seeds, ports, programs, effort. */
@NullMarked
package dev.weir.testkit;

import org.jspecify.annotations.NullMarked;
