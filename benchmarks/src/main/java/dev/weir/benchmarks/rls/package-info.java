/** Envoy's rate limit service under load, as Envoy puts it on. */
@NullMarked
package dev.weir.benchmarks.rls;

import org.jspecify.annotations.NullMarked;
