/** Suggests limits from what callers have asked for. */
@NullMarked
package dev.weir.replay.suggest;

import org.jspecify.annotations.NullMarked;
