/** The servers that share a store: their roster, and each server's part of a limit. */
@NullMarked
package dev.weir.shared.fleet;

import org.jspecify.annotations.NullMarked;
