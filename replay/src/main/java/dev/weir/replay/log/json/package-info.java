/** One JSON object on a line. */
@NullMarked
package dev.weir.replay.log.json;

import org.jspecify.annotations.NullMarked;
