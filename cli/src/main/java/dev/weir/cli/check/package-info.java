/** {@code weir check}. */
@NullMarked
package dev.weir.cli.check;

import org.jspecify.annotations.NullMarked;
