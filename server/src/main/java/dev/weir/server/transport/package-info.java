/** What a connection may use, of all connections together: descriptors, memory, streams, time. */
@NullMarked
package dev.weir.server.transport;

import org.jspecify.annotations.NullMarked;
