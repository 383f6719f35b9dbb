/** The in-process store: exact under any number of threads, bounded in memory. */
@NullMarked
package dev.weir.memory;

import org.jspecify.annotations.NullMarked;
