/** One line of a log: what its parts mean, and the request that they make. */
@NullMarked
package dev.weir.replay.log.line;

import org.jspecify.annotations.NullMarked;
