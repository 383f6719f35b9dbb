/** What counters take in Redis and in process, beside what {@code weir size} predicts. */
@NullMarked
package dev.weir.benchmarks.size;

import org.jspecify.annotations.NullMarked;
