/**
 * A real Redis for tests and benchmarks: one node, a cluster, or a master with sentinels, started
 * from a real program, controlled by commands and signals, and removed when the test ends.
 */
@NullMarked
package dev.weir.testkit.redis;

import org.jspecify.annotations.NullMarked;
