/**
 * Servers, a store, clocks and a network on virtual time, made and broken from one seed, around the
 * real code of the limiter.
 */
@NullMarked
package dev.weir.simulation;

import org.jspecify.annotations.NullMarked;
