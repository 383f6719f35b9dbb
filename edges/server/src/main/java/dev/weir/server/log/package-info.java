/** Rate-limited logging of events that clients can cause, so that they cannot fill a disk. */
@NullMarked
package dev.weir.server.log;

import org.jspecify.annotations.NullMarked;
