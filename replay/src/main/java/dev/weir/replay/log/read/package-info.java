/** Logs as a source of requests in the order of their arrival. */
@NullMarked
package dev.weir.replay.log.read;

import org.jspecify.annotations.NullMarked;
