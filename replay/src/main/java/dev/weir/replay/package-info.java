/** Replays access logs against rules, and reports what they would have done. */
@NullMarked
package dev.weir.replay;

import org.jspecify.annotations.NullMarked;
