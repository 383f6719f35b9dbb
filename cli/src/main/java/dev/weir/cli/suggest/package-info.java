/** {@code weir suggest}. */
@NullMarked
package dev.weir.cli.suggest;

import org.jspecify.annotations.NullMarked;
