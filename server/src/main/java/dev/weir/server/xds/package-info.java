/** Takes the configuration of Envoy's rate limit service from a management server. */
@NullMarked
package dev.weir.server.xds;

import org.jspecify.annotations.NullMarked;
