/**
 * What happens while a store is slow or gone: a deadline, a breaker, and a share of each limit to
 * keep to until it is back.
 */
@NullMarked
package dev.weir.guard;

import org.jspecify.annotations.NullMarked;
