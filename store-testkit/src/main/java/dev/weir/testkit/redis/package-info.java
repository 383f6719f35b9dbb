/**
 * A real Redis for tests and benchmarks: one node, a cluster, or a master under sentinels, started
 * from a real program, steered by commands and signals, and gone when the test ends.
 */
@NullMarked
package dev.weir.testkit.redis;

import org.jspecify.annotations.NullMarked;
