/** TLS certificates: reading, checking and reloading. */
@NullMarked
package dev.weir.server.tls;

import org.jspecify.annotations.NullMarked;
