/** The store of a server: its configuration, outages, log lines and counts. */
@NullMarked
package dev.weir.server.store;

import org.jspecify.annotations.NullMarked;
