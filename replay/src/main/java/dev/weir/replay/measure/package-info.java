/** Counts what happens in a replay, in bounded memory. */
@NullMarked
package dev.weir.replay.measure;

import org.jspecify.annotations.NullMarked;
