/** Futures that belong to one caller, the executors on which callers continue, and timers. */
@NullMarked
package dev.weir.async;

import org.jspecify.annotations.NullMarked;
