/** What it costs to know who is denied: the dashboard and the heaviest callers under a flood. */
@NullMarked
package dev.weir.benchmarks.callers;

import org.jspecify.annotations.NullMarked;
