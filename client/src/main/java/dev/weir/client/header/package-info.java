/** What response headers say about limits. */
@NullMarked
package dev.weir.client.header;

import org.jspecify.annotations.NullMarked;
