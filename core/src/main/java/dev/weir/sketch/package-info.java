/** The most frequent keys of a stream, in bounded memory. */
@NullMarked
package dev.weir.sketch;

import org.jspecify.annotations.NullMarked;
