/** Formats by name or description, and their detection. */
@NullMarked
package dev.weir.replay.log.format;

import org.jspecify.annotations.NullMarked;
