/** How fast logs are replayed, beside a loop in Python. */
@NullMarked
package dev.weir.benchmarks.replay;

import org.jspecify.annotations.NullMarked;
