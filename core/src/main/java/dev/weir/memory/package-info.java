/** The in-process store: exact under threads, bounded in memory, with nothing to install. */
@NullMarked
package dev.weir.memory;

import org.jspecify.annotations.NullMarked;
