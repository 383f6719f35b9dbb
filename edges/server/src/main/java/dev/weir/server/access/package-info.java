/** Access control of ports: tokens, host names, and protection against cross-site requests. */
@NullMarked
package dev.weir.server.access;

import org.jspecify.annotations.NullMarked;
