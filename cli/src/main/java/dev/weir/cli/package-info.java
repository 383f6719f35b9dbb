/** The {@code weir} program; each command has a package of its own. */
@NullMarked
package dev.weir.cli;

import org.jspecify.annotations.NullMarked;
