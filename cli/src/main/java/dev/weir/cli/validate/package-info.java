/** {@code weir validate}. */
@NullMarked
package dev.weir.cli.validate;

import org.jspecify.annotations.NullMarked;
