/** The {@code weir size} command. */
@NullMarked
package dev.weir.cli.size;

import org.jspecify.annotations.NullMarked;
