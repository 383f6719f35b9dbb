/** The access log. */
@NullMarked
package dev.weir.gateway.log;

import org.jspecify.annotations.NullMarked;
