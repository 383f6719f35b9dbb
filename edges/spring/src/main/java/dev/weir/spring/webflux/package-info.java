/** Limits the requests of WebFlux applications. */
@NullMarked
package dev.weir.spring.webflux;

import org.jspecify.annotations.NullMarked;
