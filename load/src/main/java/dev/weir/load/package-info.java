/** A load generator, and a service that can be overloaded. */
@NullMarked
package dev.weir.load;

import org.jspecify.annotations.NullMarked;
