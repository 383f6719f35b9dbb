/** Virtual time, seeded randomness, clocks that drift and jump, and the log of events. */
@NullMarked
package dev.weir.simulation.world;

import org.jspecify.annotations.NullMarked;
