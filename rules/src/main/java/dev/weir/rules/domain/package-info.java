/** Domains of Envoy's rate limit service: trees of descriptors with a limit at each node. */
@NullMarked
package dev.weir.rules.domain;

import org.jspecify.annotations.NullMarked;
