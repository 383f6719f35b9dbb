/** {@code weir replay}. */
@NullMarked
package dev.weir.cli.replay;

import org.jspecify.annotations.NullMarked;
