/** One proxied request: headers, bodies, upgrades, timeouts. */
@NullMarked
package dev.weir.gateway.proxy;

import org.jspecify.annotations.NullMarked;
