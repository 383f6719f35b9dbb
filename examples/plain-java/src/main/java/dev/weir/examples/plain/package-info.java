/** Weir in plain Java: limits by key, waiting, concurrency, and limits in a file. */
@NullMarked
package dev.weir.examples.plain;

import org.jspecify.annotations.NullMarked;
