/**
 * Limits of the requests in flight to an upstream, found by its latency and its failures.
 *
 * <p>Latencies are estimates, so these limits count in floating point; nothing is charged by them.
 */
@NullMarked
package dev.weir.gateway.adaptive;

import org.jspecify.annotations.NullMarked;
