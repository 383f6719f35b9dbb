/** HTTP/1.1 on Netty, one request at a time on each connection. */
@NullMarked
package dev.weir.load.client;

import org.jspecify.annotations.NullMarked;
