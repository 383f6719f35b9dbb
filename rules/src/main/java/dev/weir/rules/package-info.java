/** Rules: loading, reloading, and the registry of what is active. */
@NullMarked
package dev.weir.rules;

import org.jspecify.annotations.NullMarked;
