/** Benchmarks of Envoy's rate limit service under load like Envoy's. */
@NullMarked
package dev.weir.benchmarks.rls;

import org.jspecify.annotations.NullMarked;
