/**
 * Envoy's rate limit service: a request names a domain and some descriptors, and the reply has a
 * status for each of them. {@link dev.weir.server.rls.RlsEngine} decides and does not depend on the
 * wire format.
 */
@NullMarked
package dev.weir.server.rls;

import org.jspecify.annotations.NullMarked;
