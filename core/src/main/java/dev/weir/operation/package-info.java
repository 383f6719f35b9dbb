/**
 * What a store can do, for those to whom it is all the same; and the futures that callers get of
 * it.
 */
@NullMarked
package dev.weir.operation;

import org.jspecify.annotations.NullMarked;
