/** Parts of the limiters, not for use by applications. */
@NullMarked
package dev.weir.library.internal;

import org.jspecify.annotations.NullMarked;
