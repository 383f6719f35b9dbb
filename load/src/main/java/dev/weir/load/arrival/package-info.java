/** When requests are due: open loop by a schedule, closed loop by users. */
@NullMarked
package dev.weir.load.arrival;

import org.jspecify.annotations.NullMarked;
