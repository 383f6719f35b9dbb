/** Reads upstreams, routes and load shedding from rules files. */
@NullMarked
package dev.weir.rules.gateway.syntax;

import org.jspecify.annotations.NullMarked;
