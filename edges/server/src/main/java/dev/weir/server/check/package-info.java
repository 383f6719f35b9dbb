/** {@code /v1/check}: the endpoint for gateways. */
@NullMarked
package dev.weir.server.check;

import org.jspecify.annotations.NullMarked;
