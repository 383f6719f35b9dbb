/** {@code weir gateway}. */
@NullMarked
package dev.weir.cli.gateway;

import org.jspecify.annotations.NullMarked;
