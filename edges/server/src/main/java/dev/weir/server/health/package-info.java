/** Readiness and health endpoints. */
@NullMarked
package dev.weir.server.health;

import org.jspecify.annotations.NullMarked;
