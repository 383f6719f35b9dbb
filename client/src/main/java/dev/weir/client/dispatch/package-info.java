/** When requests are sent, and whether again: pacing, backoff and the retry budget. */
@NullMarked
package dev.weir.client.dispatch;

import org.jspecify.annotations.NullMarked;
