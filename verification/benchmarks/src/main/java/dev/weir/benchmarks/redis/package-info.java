/** Benchmarks of decisions through one Redis, compared with the peers. */
@NullMarked
package dev.weir.benchmarks.redis;

import org.jspecify.annotations.NullMarked;
