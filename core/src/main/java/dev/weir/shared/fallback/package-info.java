/**
 * Local counting while the shared store does not answer, and the pending charges that are settled
 * when it is back.
 */
@NullMarked
package dev.weir.shared.fallback;

import org.jspecify.annotations.NullMarked;
