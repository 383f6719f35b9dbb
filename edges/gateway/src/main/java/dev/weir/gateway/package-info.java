/** A reverse proxy that limits, shapes and sheds. */
@NullMarked
package dev.weir.gateway;

import org.jspecify.annotations.NullMarked;
