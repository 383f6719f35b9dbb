/** What a replay found: plain records, which reports are written from. */
@NullMarked
package dev.weir.replay.result;

import org.jspecify.annotations.NullMarked;
