/**
 * What leaves the server about single requests: spans, the access log and the log of denials. Off
 * unless somebody asked for it; then {@link dev.weir.server.telemetry.RequestObserver#NONE} costs a
 * request nothing.
 */
@NullMarked
package dev.weir.server.telemetry;

import org.jspecify.annotations.NullMarked;
