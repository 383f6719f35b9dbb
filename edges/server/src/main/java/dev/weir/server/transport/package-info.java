/** Bounds of connections: file descriptors, memory, streams, and the health of event loops. */
@NullMarked
package dev.weir.server.transport;

import org.jspecify.annotations.NullMarked;
