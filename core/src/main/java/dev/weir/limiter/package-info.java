/**
 * Decides about requests: takes the claims of a match from a store, and applies each rule's failure
 * mode where the store does not answer.
 */
@NullMarked
package dev.weir.limiter;

import org.jspecify.annotations.NullMarked;
