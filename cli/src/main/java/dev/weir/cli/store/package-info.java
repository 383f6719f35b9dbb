/** The configured store of counters, and the key secret that servers share. */
@NullMarked
package dev.weir.cli.store;

import org.jspecify.annotations.NullMarked;
