/** Benchmarks of leased permits, compared with a store call for every decision. */
@NullMarked
package dev.weir.benchmarks.lease;

import org.jspecify.annotations.NullMarked;
