/** The {@code weir top} command: what a running server decides, in a terminal, as it happens. */
@NullMarked
package dev.weir.cli.top;

import org.jspecify.annotations.NullMarked;
