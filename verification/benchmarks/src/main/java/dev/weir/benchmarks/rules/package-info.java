/** Benchmarks of matching: from a request to its claims. */
@NullMarked
package dev.weir.benchmarks.rules;

import org.jspecify.annotations.NullMarked;
