/**
 * Limits by domain: a tree of descriptors, as Envoy's rate limit service knows them. A request
 * names a domain and some descriptors, each a path of entries; where a path ends at a limit, it
 * applies.
 */
@NullMarked
package dev.weir.domain;

import org.jspecify.annotations.NullMarked;
