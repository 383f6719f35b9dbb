/** Writes what a replay found, as text and as JSON. */
@NullMarked
package dev.weir.replay.report;

import org.jspecify.annotations.NullMarked;
