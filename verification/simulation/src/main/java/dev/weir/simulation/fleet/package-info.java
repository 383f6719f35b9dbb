/** The simulated servers, network, central store and roster, and the faults injected into them. */
@NullMarked
package dev.weir.simulation.fleet;

import org.jspecify.annotations.NullMarked;
