/** The ride-hailing service on WebFlux. */
@NullMarked
package dev.weir.examples.ridehailing.webflux;

import org.jspecify.annotations.NullMarked;
