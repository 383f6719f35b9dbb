/** Permits taken in advance and spent in this process, and denials that are remembered. */
@NullMarked
package dev.weir.lease;

import org.jspecify.annotations.NullMarked;
