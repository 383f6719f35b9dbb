/** A ride-hailing service as small as can be: what it knows is in memory, and bounded. */
@NullMarked
package dev.weir.examples.ridehailing;

import org.jspecify.annotations.NullMarked;
