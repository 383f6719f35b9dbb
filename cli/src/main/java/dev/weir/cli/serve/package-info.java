/** {@code weir serve}. */
@NullMarked
package dev.weir.cli.serve;

import org.jspecify.annotations.NullMarked;
