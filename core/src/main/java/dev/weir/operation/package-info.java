/** What a store can do, for those to whom it is all the same. */
@NullMarked
package dev.weir.operation;

import org.jspecify.annotations.NullMarked;
