/**
 * Runs the real limiter on simulated servers, clocks, network and store, from one seed on virtual
 * time, and injects faults.
 */
@NullMarked
package dev.weir.simulation;

import org.jspecify.annotations.NullMarked;
