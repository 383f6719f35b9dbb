/** Groups of options of {@code weir serve}. */
@NullMarked
package dev.weir.cli.options;

import org.jspecify.annotations.NullMarked;
