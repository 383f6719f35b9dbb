/** Lines of bytes from files, compressed or not. */
@NullMarked
package dev.weir.replay.log.input;

import org.jspecify.annotations.NullMarked;
