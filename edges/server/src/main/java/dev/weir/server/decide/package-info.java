/** {@code /v1/decide} and {@code /v1/release}: decisions as JSON. */
@NullMarked
package dev.weir.server.decide;

import org.jspecify.annotations.NullMarked;
