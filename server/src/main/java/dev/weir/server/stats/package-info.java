/**
 * What became of requests to Envoy's rate limit service, counted once and told under two sets of
 * names: ours, and those that dashboards of envoyproxy/ratelimit know.
 */
@NullMarked
package dev.weir.server.stats;

import org.jspecify.annotations.NullMarked;
