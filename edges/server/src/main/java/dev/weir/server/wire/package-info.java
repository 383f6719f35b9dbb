/** Message encodings that several edges share. */
@NullMarked
package dev.weir.server.wire;

import org.jspecify.annotations.NullMarked;
