/** The loop that sends what is due and gives up what is late; time is an argument. */
@NullMarked
package dev.weir.load.engine;

import org.jspecify.annotations.NullMarked;
