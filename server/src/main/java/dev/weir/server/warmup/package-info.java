/** Requests that a server sends to its own ports, to be warm before anybody else's come. */
@NullMarked
package dev.weir.server.warmup;

import org.jspecify.annotations.NullMarked;
