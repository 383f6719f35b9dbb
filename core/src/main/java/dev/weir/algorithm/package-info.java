/**
 * The five algorithms and the concurrency limit as pure functions of state, limit, time and cost.
 */
@NullMarked
package dev.weir.algorithm;

import org.jspecify.annotations.NullMarked;
