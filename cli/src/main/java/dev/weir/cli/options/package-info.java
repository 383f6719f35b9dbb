/** Groups of options that commands share. */
@NullMarked
package dev.weir.cli.options;

import org.jspecify.annotations.NullMarked;
