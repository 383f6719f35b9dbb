/** Who may do what on a port: tokens, and what browsers are kept from. */
@NullMarked
package dev.weir.server.access;

import org.jspecify.annotations.NullMarked;
