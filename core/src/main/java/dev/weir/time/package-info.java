/** The clock, and windows that follow the calendar. */
@NullMarked
package dev.weir.time;

import org.jspecify.annotations.NullMarked;
