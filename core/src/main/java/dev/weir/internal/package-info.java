/**
 * Arithmetic and messages that other packages of Weir share. Not an API: it may change at any time.
 */
@NullMarked
package dev.weir.internal;

import org.jspecify.annotations.NullMarked;
