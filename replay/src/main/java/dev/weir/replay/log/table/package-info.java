/** Formats whose fields a directive names: W3C extended, CloudFront. */
@NullMarked
package dev.weir.replay.log.table;

import org.jspecify.annotations.NullMarked;
