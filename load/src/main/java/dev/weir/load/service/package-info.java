/** A service that collapses when it gets more than it can do. */
@NullMarked
package dev.weir.load.service;

import org.jspecify.annotations.NullMarked;
