/** Lines for operators that clients can cause, and which must not fill a disk. */
@NullMarked
package dev.weir.server.log;

import org.jspecify.annotations.NullMarked;
