/** From names and values to limit keys. */
@NullMarked
package dev.weir.key;

import org.jspecify.annotations.NullMarked;
