/** Envoy's rate limit service on the wire: gRPC, JSON, health, reflection. */
@NullMarked
package dev.weir.server.grpc;

import org.jspecify.annotations.NullMarked;
