/** Loads the configuration of Envoy's rate limit service from an xDS management server. */
@NullMarked
package dev.weir.server.xds;

import org.jspecify.annotations.NullMarked;
