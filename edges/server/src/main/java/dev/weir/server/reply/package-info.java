/** Responses that several edges share, and guards that respond instead of an edge. */
@NullMarked
package dev.weir.server.reply;

import org.jspecify.annotations.NullMarked;
