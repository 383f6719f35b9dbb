/** Reference models, in plain arithmetic, of what limits, leases and local counters must do. */
@NullMarked
package dev.weir.simulation.model;

import org.jspecify.annotations.NullMarked;
