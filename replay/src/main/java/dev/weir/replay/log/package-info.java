/** Access logs: their formats, and what a line says about a request. */
@NullMarked
package dev.weir.replay.log;

import org.jspecify.annotations.NullMarked;
