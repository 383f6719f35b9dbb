/** The warm-up: requests that a server sends to its own ports before it gets traffic. */
@NullMarked
package dev.weir.server.warmup;

import org.jspecify.annotations.NullMarked;
