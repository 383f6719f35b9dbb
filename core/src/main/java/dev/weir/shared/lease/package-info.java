/**
 * Answers without a call to the store: leases, which are permits taken in advance and spent
 * locally, and the cache of recent denials.
 */
@NullMarked
package dev.weir.shared.lease;

import org.jspecify.annotations.NullMarked;
