/** Reads the configuration format of envoyproxy/ratelimit. */
@NullMarked
package dev.weir.rules.envoy;

import org.jspecify.annotations.NullMarked;
