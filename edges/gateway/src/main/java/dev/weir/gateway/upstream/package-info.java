/** Upstreams: their servers, connections and health. */
@NullMarked
package dev.weir.gateway.upstream;

import org.jspecify.annotations.NullMarked;
