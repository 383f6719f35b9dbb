/** How a running limiter stands: its rules towards a request, and its store. */
@NullMarked
package dev.weir.library.status;

import org.jspecify.annotations.NullMarked;
