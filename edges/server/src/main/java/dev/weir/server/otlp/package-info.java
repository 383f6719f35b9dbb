/**
 * Metrics and spans for a collector, by OTLP over HTTP in protobuf. Nothing here is loaded unless
 * something is exported.
 */
@NullMarked
package dev.weir.server.otlp;

import org.jspecify.annotations.NullMarked;
