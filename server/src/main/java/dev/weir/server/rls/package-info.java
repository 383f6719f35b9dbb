/**
 * Envoy's rate limit service: who asks names a domain and some descriptors, and is told about each
 * of them. {@link dev.weir.server.rls.RlsEngine} decides and knows nothing of the wire.
 */
@NullMarked
package dev.weir.server.rls;

import org.jspecify.annotations.NullMarked;
