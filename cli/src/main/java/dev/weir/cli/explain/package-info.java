/** {@code weir explain}. */
@NullMarked
package dev.weir.cli.explain;

import org.jspecify.annotations.NullMarked;
