/**
 * The path of requests to a store that several servers share: deadlines, circuit breakers, health
 * probes and recovery. {@link dev.weir.shared.SharedStore} is the entry point.
 */
@NullMarked
package dev.weir.shared;

import org.jspecify.annotations.NullMarked;
