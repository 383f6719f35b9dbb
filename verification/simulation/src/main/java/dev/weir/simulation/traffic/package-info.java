/** Simulated clients that send requests to the servers. */
@NullMarked
package dev.weir.simulation.traffic;

import org.jspecify.annotations.NullMarked;
