/** Decides about the requests of a log, on virtual time, with the limiter that servers use. */
@NullMarked
package dev.weir.replay.run;

import org.jspecify.annotations.NullMarked;
