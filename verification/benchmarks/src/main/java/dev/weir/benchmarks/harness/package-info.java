/** What all benchmarks share: options, rounds, workers, reports. */
@NullMarked
package dev.weir.benchmarks.harness;

import org.jspecify.annotations.NullMarked;
