/** Records what can be observed from outside, and reports every broken invariant. */
@NullMarked
package dev.weir.simulation.audit;

import org.jspecify.annotations.NullMarked;
