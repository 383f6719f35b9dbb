/** Limit keys: a keyed hash of what identifies a counter. */
@NullMarked
package dev.weir.key;

import org.jspecify.annotations.NullMarked;
