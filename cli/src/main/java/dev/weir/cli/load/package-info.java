/** The {@code weir load} command. */
@NullMarked
package dev.weir.cli.load;

import org.jspecify.annotations.NullMarked;
