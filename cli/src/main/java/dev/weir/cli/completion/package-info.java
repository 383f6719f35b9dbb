/** {@code weir completion}. */
@NullMarked
package dev.weir.cli.completion;

import org.jspecify.annotations.NullMarked;
