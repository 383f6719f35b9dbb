/** Client requests, messages to the store, and the view of a server that the audit has. */
@NullMarked
package dev.weir.simulation.exchange;

import org.jspecify.annotations.NullMarked;
