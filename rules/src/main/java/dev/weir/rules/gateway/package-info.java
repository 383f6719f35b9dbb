/** What a rules file says about upstreams, routes and load shedding. */
@NullMarked
package dev.weir.rules.gateway;

import org.jspecify.annotations.NullMarked;
