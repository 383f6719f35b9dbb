/** A clock and a scheduler that tests move. */
@NullMarked
package dev.weir.testkit.time;

import org.jspecify.annotations.NullMarked;
