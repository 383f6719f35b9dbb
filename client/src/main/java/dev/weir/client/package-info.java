/** An HTTP client that keeps to the limits of servers. */
@NullMarked
package dev.weir.client;

import org.jspecify.annotations.NullMarked;
