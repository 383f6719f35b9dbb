/** Decisions shared through one Redis, beside the peers. */
@NullMarked
package dev.weir.benchmarks.redis;

import org.jspecify.annotations.NullMarked;
