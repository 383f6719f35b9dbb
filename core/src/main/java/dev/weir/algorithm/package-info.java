/**
 * The algorithms, as pure functions: state, limit, time and cost in, state and decision out.
 *
 * <p>Nothing here knows a clock, a key or a store, and nothing here is a floating-point number. All
 * time arguments are microseconds since the Unix epoch.
 */
@NullMarked
package dev.weir.algorithm;

import org.jspecify.annotations.NullMarked;
