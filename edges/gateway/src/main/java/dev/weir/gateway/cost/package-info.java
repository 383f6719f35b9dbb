/** Costs that responses state: estimates on the way in, the truth on the way out. */
@NullMarked
package dev.weir.gateway.cost;

import org.jspecify.annotations.NullMarked;
