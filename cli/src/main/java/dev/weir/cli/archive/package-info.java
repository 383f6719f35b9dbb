/** {@code weir archive}. */
@NullMarked
package dev.weir.cli.archive;

import org.jspecify.annotations.NullMarked;
