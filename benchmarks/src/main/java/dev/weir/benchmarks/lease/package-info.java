/** Permits taken in advance, beside a store that is asked every time. */
@NullMarked
package dev.weir.benchmarks.lease;

import org.jspecify.annotations.NullMarked;
