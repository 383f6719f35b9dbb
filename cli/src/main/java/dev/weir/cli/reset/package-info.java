/** The {@code weir reset} command: lets the counters of a caller begin anew. */
@NullMarked
package dev.weir.cli.reset;

import org.jspecify.annotations.NullMarked;
