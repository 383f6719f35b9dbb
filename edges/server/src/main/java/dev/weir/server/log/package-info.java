/**
 * Logs that clients cannot abuse: failures at a bounded rate, so that they cannot fill a disk, and
 * logs of requests, whose lines no text of a client can break and for which no request waits.
 */
@NullMarked
package dev.weir.server.log;

import org.jspecify.annotations.NullMarked;
